"""Embeddings of the relations of a graph, and of the names of its entities, by a text encoder."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kgdb.graph import Database, GraphInfo, RelationInfo
from kgdb.language import Encoder, verbalize
from kgdb.model import Step
from kgdb.progress import Progress, Report, silent

BATCH = 1_000
"""Names that are encoded and written together."""

SUBJECT = "it"
"""What stands for the other end in the text of a relation."""


@dataclass(frozen=True, slots=True)
class RelationVectors:
    """Embeddings of what each relation leads to, along it and against it.

    ``along`` is that of its text (*the director of it*), ``against`` that of its inverse.
    """

    encoder: str
    ids: tuple[str, ...]
    along: NDArray[np.float32]
    against: NDArray[np.float32]


def encode_relations(relations: Sequence[RelationInfo], encoder: Encoder) -> RelationVectors:
    """The embeddings of the relations, in their order."""
    texts = {relation.id: relation for relation in relations}
    phrases = [
        verbalize((Step(relation.id, reverse),), SUBJECT, texts)
        for relation in relations
        for reverse in (False, True)
    ]
    vectors = encoder.encode(phrases)
    ids = tuple(relation.id for relation in relations)
    return RelationVectors(encoder.name, ids, vectors[0::2], vectors[1::2])


def write_relation_vectors(database: Database, graph: str, vectors: RelationVectors) -> None:
    """Write them as ``r.embedding`` and ``r.inverse_embedding``; the graph names the encoder."""
    rows = [
        {"id": relation, "along": along, "against": against}
        for relation, along, against in zip(
            vectors.ids, vectors.along.tolist(), vectors.against.tolist(), strict=True
        )
    ]
    for start in range(0, len(rows), BATCH):
        database.write(
            "embed_relations",
            {"kg": graph, "rows": rows[start : start + BATCH], "encoder": vectors.encoder},
        )


def embed_names(
    database: Database, graph: GraphInfo, encoder: Encoder, *, report: Report = silent
) -> int:
    """Write the embedding of every entity's name, and the vector index over them.

    Returns how many were written. What was there before is replaced; the index is made last, so
    ``link`` refuses vectors until all embeddings are in.
    """
    database.write("unload_schema_fulltext", index=graph.embedding_index)
    done = dimensions = 0
    # One pass, however many entities there are: pages would need an order, which ids of several
    # kinds (texts, numbers, none) do not have.
    batches = database.stream(
        "embed_names", BATCH, label=graph.label, id=graph.id_property, name=graph.name_property
    )
    with closing(batches):
        for rows in batches:
            vectors = encoder.encode([row["name"] for row in rows])
            dimensions = int(vectors.shape[1])
            pairs = [
                {"node": row["node"], "vector": vector.tolist()}
                for row, vector in zip(rows, vectors, strict=True)
            ]
            written = database.write("embed_write", {"rows": pairs}, label=graph.label)
            done += written[0]["written"]
            report(Progress("embedding names", done, graph.entities, "entities"))
    if done:
        index = graph.embedding_index
        database.write("embed_index", index=index, label=graph.label, dimensions=dimensions)
        database.write("await_indexes", {"seconds": 3600})
    return done
