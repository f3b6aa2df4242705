"""The graphs of one database as a service sees them, and what a key may see of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from kgdb.connection import Connection, KnowledgeGraph
from kgdb.errors import ConnectionFailed, KgdbError, ModelError, UsageError
from kgdb.graph import GraphInfo
from kgdb.methods import Reasoner, Watch, create
from kgdb.serving.access_keys import AccessKey
from kgdb.serving.problem_details import Refused
from kgdb.serving.question_batches import Asking
from kgdb.wording import listed, short

_FRESH_SECONDS = 5.0
"""How long the list of graphs is taken for granted."""


_RETRY_SECONDS = 2.0
"""How long a failure to connect stands: those who wait need not each run into it."""

_MOST_KEPT = 256
"""Reasoners that are kept: clients may ask with any options."""


class GraphAccess:
    """The graphs, their models loaded once, for all threads of a service.

    The database may start later than the service, and may restart while it runs: the connection is
    opened by the first request that finds it up.
    """

    def __init__(self, open_connection: Callable[[], Connection]) -> None:
        self._open = open_connection
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._failed: tuple[float, KgdbError] | None = None
        self._graphs: tuple[float, Mapping[str, KnowledgeGraph]] = (0.0, {})
        self._reasoners: dict[tuple[GraphInfo, Asking], Reasoner] = {}

    def connection(self) -> Connection:
        """The open connection; raises :class:`kgdb.errors.ConnectionFailed`."""
        with self._lock:
            if self._connection is None:
                if self._failed is not None and time.monotonic() - self._failed[0] < _RETRY_SECONDS:
                    raise self._failed[1]
                try:
                    with _of_whoever_serves(ConnectionFailed):
                        self._connection = self._open()
                except KgdbError as error:
                    self._failed = time.monotonic(), error
                    raise
            return self._connection

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()

    def check(self) -> None:
        """Raise unless the database answers."""
        self.connection().run("alive")

    def graphs(self) -> Mapping[str, KnowledgeGraph]:
        """The graphs that are ready; what was loaded or removed shows after some seconds."""
        read_at, graphs = self._graphs
        if time.monotonic() - read_at > _FRESH_SECONDS:
            connection = self.connection()
            infos = {info.name: info for info in connection.graphs() if info.state == "ready"}
            graphs = {
                name: known
                if (known := graphs.get(name)) is not None and known.info == info
                else KnowledgeGraph(connection, info)
                for name, info in infos.items()
            }
            self._graphs = time.monotonic(), graphs
        return graphs

    def visible(self, key: AccessKey) -> Mapping[str, KnowledgeGraph]:
        """The graphs of a key."""
        return {name: graph for name, graph in self.graphs().items() if key.may_see(name)}

    def graph(self, key: AccessKey, name: str) -> KnowledgeGraph:
        """A graph of a key; of another's graph it is not even told that there is one."""
        visible = self.visible(key)
        if name not in visible:
            yours = f"Graphs: {listed(visible)}." if visible else "There is no graph for this key."
            raise Refused(404, "No such graph", f"There is no graph {short(name)}. {yours}")
        return visible[name]

    def reasoner(self, asking: Asking, watch: Watch | None) -> Reasoner:
        """The method over the graph; raises :class:`kgdb.errors.UsageError` for a wrong option."""
        graph = self.graphs().get(asking.graph)
        if graph is None:
            raise Refused(404, "No such graph", f"There is no graph {short(asking.graph)}.")
        place = (graph.info, asking)
        made = self._reasoners.get(place) if watch is None else None
        if made is None:
            method = create(asking.method, dict(asking.options))
            with _of_whoever_serves(ModelError):
                made = graph.reasoner(method, llm=asking.llm, watch=watch)
            if watch is None:
                if len(self._reasoners) >= _MOST_KEPT:
                    self._reasoners.clear()
                self._reasoners[place] = made
        return made


@contextmanager
def _of_whoever_serves(kind: type[KgdbError]) -> Iterator[None]:
    """A wrong setting is no mistake of a client, who is not told of it."""
    try:
        yield
    except UsageError as error:
        raise kind(error.message, hint=error.hint) from error
