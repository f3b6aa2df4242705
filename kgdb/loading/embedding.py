"""Embeddings of the names of a graph's entities, for linking by meaning."""

from __future__ import annotations

from kgdb.graph import Database, GraphInfo
from kgdb.language import Encoder
from kgdb.progress import Progress, Report, silent

BATCH = 1_000
"""Names that are encoded and written together."""


def embed_names(
    database: Database, graph: GraphInfo, encoder: Encoder, *, report: Report = silent
) -> int:
    """Write the embedding of every entity's name, and the vector index over them.

    Returns how many were written. What was there before is replaced; the index is made last, so
    ``link`` refuses vectors until all embeddings are in.
    """
    database.write("unload_schema_fulltext", index=graph.embedding_index)
    done, after, dimensions = 0, "", 0
    label, key = graph.label, graph.id_property
    while rows := database.run(
        "embed_names",
        {"after": after, "limit": BATCH},
        label=label,
        id=key,
        name=graph.name_property,
    ):
        vectors = encoder.encode([row["name"] for row in rows])
        dimensions = int(vectors.shape[1])
        pairs = [
            {"id": row["id"], "vector": vector.tolist()}
            for row, vector in zip(rows, vectors, strict=True)
        ]
        database.write("embed_write", {"rows": pairs}, label=label, id=key)
        done, after = done + len(rows), rows[-1]["id"]
        report(Progress("embedding names", done, graph.entities, "entities"))
    if done:
        index = graph.embedding_index
        database.write("embed_index", index=index, label=label, dimensions=dimensions)
        database.write("await_indexes", {"seconds": 3600})
    return done
