"""What a graph's bookkeeping says of its relations, worked out while the data are on their way."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread, get_native_id

from kgdb.errors import ModelMissing
from kgdb.graph import RelationInfo, RelationVectors
from kgdb.language import Encoder, encode_relations, single_threaded
from kgdb.loading.preparing.prepared_source import Prepared

_NICE = 19
Described = tuple[list[RelationInfo], RelationVectors | str | None]
"""The relations, and their embeddings, or why there are none (``None``: not asked for)."""


class RelationsAhead:
    """Counts the relations of a source and embeds their texts, in the background once begun.

    Loading an encoder takes seconds, in which the database is mostly busy by itself. It gets what
    the database leaves of the processors, where the system can tell threads apart.
    """

    def __init__(self, prepared: Prepared, encoder: Callable[[], Encoder] | None) -> None:
        self._prepared = prepared
        self._encoder = encoder
        self._described: Future[Described] | None = None

    def begin(self) -> None:
        """Begin, unless that is done."""
        if self._described is None:
            self._described = Future()
            # Nobody waits for it where the load fails.
            Thread(target=self._work, args=[self._described], daemon=True).start()

    def result(self) -> Described:
        """Wait for it; raises what went wrong."""
        self.begin()
        assert self._described is not None  # noqa: S101
        return self._described.result()

    def _work(self, described: Future[Described]) -> None:
        if sys.platform == "linux":
            # Of this thread alone, and of those that it starts.
            os.setpriority(os.PRIO_PROCESS, get_native_id(), _NICE)
        try:
            relations = self._prepared.relations()
            described.set_result((relations, self._vectors(relations)))
        except BaseException as error:
            described.set_exception(error)

    def _vectors(self, relations: list[RelationInfo]) -> RelationVectors | str | None:
        if self._encoder is None:
            return None
        try:
            encoder = self._encoder()
            with single_threaded():
                return encode_relations(relations, encoder)
        except ModelMissing as missing:
            return missing.message
