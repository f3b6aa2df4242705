"""Embeddings of a graph's relations and of its entities' names, by a text encoder."""

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
"""Names per batch."""

_NUMBER = 32
"""Bytes of log, store and index for one number of a vector."""


def write_relation_vectors(database: Database, graph: str, vectors: RelationVectors) -> None:
    """Write the vectors as ``embedding`` and ``inverse_embedding``, with the encoder's name."""
    rows = [
        {"id": relation, "along": along, "against": against}
        for relation, along, against in zip(
            vectors.ids, vectors.along.tolist(), vectors.against.tolist(), strict=True
        )
    ]
    for start in range(0, len(rows), BATCH):
        database.write(
            "embed/relations",
            {"kg": graph, "rows": rows[start : start + BATCH], "encoder": vectors.encoder},
        )


def embed_names(
    database: Database, graph: GraphInfo, encoder: Encoder, *, report: Report = silent
) -> int:
    """Write the embedding of every entity's name, and the vector index over them.

    Returns the number of embeddings. They replace earlier ones. The index and the encoder's name
    come last, so ``link`` refuses vectors until all embeddings are written. Raises
    :class:`UsageError` for an adopted graph, whose nodes kgdb does not change.
    """
    if graph.adopted:
        raise UsageError(
            f"The graph {short(graph.name)} is adopted, and kgdb writes no embeddings on nodes "
            "that it did not load.",
            hint="kgdb links its entities by names and aliases. To link by meaning too, load a "
            "copy: kgdb export, then kgdb load … --embed",
        )
    database.write("drop/index", index=graph.embedding_index)
    database.write("embed/done", {"kg": graph.name, "encoder": None})
    done = dimensions = 0
    guard = loading_guard(database, graph.name)
    # One pass over all entities: pages would need an order, and ids of several types have none.
    batches = database.stream("embed/names", BATCH, **graph.places)
    with closing(batches):
        for rows in batches:
            vectors = encoder.encode([row["name"] for row in rows])
            dimensions = int(vectors.shape[1])
            pairs = [
                {"node": row["node"], "vector": vector.tolist()}
                for row, vector in zip(rows, vectors, strict=True)
            ]
            guard.require(len(pairs) * dimensions * _NUMBER)
            written = database.write("embed/write", {"rows": pairs}, label=graph.label)
            done += written[0]["written"]
            report(Progress("embedding names", done, graph.entities, "entities"))
    if done:
        index = graph.embedding_index
        database.write("embed/index", index=index, label=graph.label, dimensions=dimensions)
        await_indexes(database)
        database.write("embed/done", {"kg": graph.name, "encoder": encoder.name})
    return done
