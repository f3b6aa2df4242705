"""The relations of a graph and their embeddings, computed while the data are being written."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread, get_native_id

from kgdb.errors import ModelMissing
from kgdb.graph import RelationInfo, RelationVectors
from kgdb.language import Encoder, encode_relations, single_threaded
from kgdb.loading.preparing.prepared_source import PreparedSource

_NICE = 19
EncodedRelations = tuple[list[RelationInfo], RelationVectors | str | None]
"""The relations with their embeddings, or the reason why there are none (``None``: no encoder)."""


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
