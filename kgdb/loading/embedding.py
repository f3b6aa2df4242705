"""Embeddings of the relations of a graph, and of the names of its entities, by a text encoder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing

from kgdb.errors import ModelMissing
from kgdb.graph import Database, GraphInfo, RelationInfo
from kgdb.language import Encoder, verbalize
from kgdb.model import Step
from kgdb.progress import Message, Progress, Report, silent

BATCH = 1_000
"""Names that are encoded and written together."""

SUBJECT = "it"
"""What stands for the other end in the text of a relation."""


def embed_relations(
    database: Database,
    graph: str,
    relations: Sequence[RelationInfo],
    encoder: Encoder,
    *,
    report: Report = silent,
) -> None:
    """Write the embeddings of what each relation leads to, along it and against it.

    ``r.embedding`` is that of its text (*the director of it*), ``r.inverse_embedding`` that of its
    inverse; the graph's node names the encoder.
    """
    texts = {relation.id: relation for relation in relations}
    done = 0
    for start in range(0, len(relations), BATCH):
        ids = [relation.id for relation in relations[start : start + BATCH]]
        phrases = [
            verbalize((Step(relation, reverse),), SUBJECT, texts)
            for relation in ids
            for reverse in (False, True)
        ]
        vectors = encoder.encode(phrases).tolist()
        rows = [
            {"id": relation, "along": vectors[2 * i], "against": vectors[2 * i + 1]}
            for i, relation in enumerate(ids)
        ]
        database.write("embed_relations", {"kg": graph, "rows": rows, "encoder": encoder.name})
        done += len(ids)
        report(Progress("embedding relations", done, len(relations), "relations"))


def embed_if_possible(
    database: Database,
    graph: str,
    relations: Sequence[RelationInfo],
    encoder: Callable[[], Encoder],
    *,
    report: Report = silent,
) -> None:
    """As :func:`embed_relations`, or a message why there are no embeddings."""
    try:
        vectors = encoder()
    except ModelMissing as missing:
        report(Message(f"No embeddings of relations: {missing.message}"))
    else:
        embed_relations(database, graph, relations, vectors, report=report)


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
