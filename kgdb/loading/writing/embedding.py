"""Embeddings of the relations of a graph, and of the names of its entities, by a text encoder."""

from __future__ import annotations

from contextlib import closing

from kgdb.errors import UsageError
from kgdb.graph import Database, GraphInfo, RelationVectors
from kgdb.language import Encoder
from kgdb.loading.writing.disk_guard import loading_guard
from kgdb.loading.writing.schema import await_indexes
from kgdb.progress import Progress, Report, silent
from kgdb.wording import short

BATCH = 1_000
"""Names that are encoded and written together."""

_NUMBER = 32
"""Bytes that a number of a vector takes in the log, the store and the index."""


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
    ``link`` refuses vectors until all embeddings are in, and then the graph names the encoder.
    Raises :class:`UsageError` for an adopted graph, whose nodes are their owner's.
    """
    if graph.adopted:
        raise UsageError(
            f"The graph {short(graph.name)} is adopted: embeddings would be written on nodes that "
            "kgdb did not load.",
            hint="Its entities are linked by their names and aliases. To link them by meaning as "
            "well, load a copy: kgdb export, then kgdb load … --embed",
        )
    database.write("drop_index", index=graph.embedding_index)
    database.write("embed_done", {"kg": graph.name, "encoder": None})
    done = dimensions = 0
    guard = loading_guard(database, graph.name)
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
            guard.room(len(pairs) * dimensions * _NUMBER)
            written = database.write("embed_write", {"rows": pairs}, label=graph.label)
            done += written[0]["written"]
            report(Progress("embedding names", done, graph.entities, "entities"))
    if done:
        index = graph.embedding_index
        database.write("embed_index", index=index, label=graph.label, dimensions=dimensions)
        await_indexes(database)
        database.write("embed_done", {"kg": graph.name, "encoder": encoder.name})
    return done
