"""Embeddings of a graph's relations and of its entities' names, by a text encoder."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing
from threading import Thread, get_native_id

from kgdb.errors import ModelMissing, UsageError
from kgdb.graph import Database, GraphInfo, RelationVectors
from kgdb.graph.graph import Graph
from kgdb.graph.retrieval.results import RelationInfo
from kgdb.language import Encoder, encode_relations, single_threaded
from kgdb.loading.preparing.prepared_source import PreparedSource
from kgdb.loading.writing.disk_guard import loading_guard
from kgdb.loading.writing.graph_constraints import await_indexes
from kgdb.progress import Message, Progress, Report, silent
from kgdb.wording import short

BATCH = 1_000
"""Names per batch."""

_NUMBER = 32
"""Bytes of log, store and index for one number of a vector."""

_NICE = 19
EncodedRelations = tuple[list[RelationInfo], RelationVectors | str | None]
"""The relations with their embeddings, or the reason why there are none (``None``: no encoder)."""


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


def embed_relations(
    database: Database, graph: GraphInfo, encoder: Callable[[], Encoder], report: Report
) -> None:
    """Embed the texts of the relations, or report that the encoder's model is missing."""
    relations = tuple(Graph(database, graph).relations.values())
    try:
        vectors = encode_relations(relations, encoder())
    except ModelMissing as missing:
        report(Message(f"No embeddings of relations: {missing.message}"))
    else:
        write_relation_vectors(database, graph.name, vectors)


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


class RelationEncoding:
    """Counts the relations of a source and embeds their texts, in a background thread.

    Loading an encoder takes seconds, while this process mostly waits for the database. On Linux the
    thread has the lowest priority, so the database gets the processors first.
    """

    def __init__(self, prepared: PreparedSource, encoder: Callable[[], Encoder] | None) -> None:
        self._prepared = prepared
        self._encoder = encoder
        self._future: Future[EncodedRelations] | None = None

    def start(self) -> None:
        """Start the thread, unless it runs already."""
        if self._future is None:
            self._future = Future()
            # A daemon: if the load fails, nobody waits for the thread.
            Thread(target=self._work, args=[self._future], daemon=True).start()

    def result(self) -> EncodedRelations:
        """Wait for the result; raises the error of the thread."""
        self.start()
        assert self._future is not None  # noqa: S101
        return self._future.result()

    def _work(self, encoded: Future[EncodedRelations]) -> None:
        if sys.platform == "linux":
            # Applies to this thread and the threads that it starts, not to the process.
            os.setpriority(os.PRIO_PROCESS, get_native_id(), _NICE)
        try:
            relations = self._prepared.relations()
            encoded.set_result((relations, self._vectors(relations)))
        except BaseException as error:
            encoded.set_exception(error)

    def _vectors(self, relations: list[RelationInfo]) -> RelationVectors | str | None:
        if self._encoder is None:
            return None
        try:
            encoder = self._encoder()
            with single_threaded():
                return encode_relations(relations, encoder)
        except ModelMissing as missing:
            return missing.message
