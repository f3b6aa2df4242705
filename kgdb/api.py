"""What ``import kgdb`` gives: a connection, its graphs, and answers over them."""

from __future__ import annotations

import importlib
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kgdb.errors import PluginMissing, UsageError
from kgdb.graph import Database, Graph, GraphInfo, find_graph, list_graphs, plugin_notice
from kgdb.model import Answer
from kgdb.progress import Event, Message, Report
from kgdb.settings import Settings, load_settings

if TYPE_CHECKING:
    from graphdatascience import GraphDataScience
    from py2neo import Graph as Py2neoGraph

    from kgdb.language import Encoder, LanguageModel
    from kgdb.methods import Method, Options

_LOG = logging.getLogger("kgdb")


def connect(
    uri: str | None = None,
    *,
    username: str | None = None,
    password: str | None = None,
    database: str | None = None,
    instance: str | None = None,
    plugin: str | None = None,
    report: Report | None = None,
) -> Connection:
    """Connect to ``uri``, else to ``NEO4J_URI``, else to the local server, started when needed.

    ``plugin`` is ``"auto"`` (use the server's kgdb plugin where it has one, else plain Cypher),
    ``"required"`` or ``"never"``. ``report`` gets what there is to tell on the way (by default the
    log ``kgdb`` gets it). Raises :class:`kgdb.errors.ConnectionFailed`,
    :class:`kgdb.errors.PluginMissing` or :class:`kgdb.errors.ServerError`.
    """
    settings = load_settings(
        uri=uri,
        username=username,
        password=password,
        database=database,
        instance=instance,
        plugin=plugin,
    )
    return open_connection(settings, report or _log)


def open_connection(settings: Settings, report: Report) -> Connection:
    """:func:`connect` with settings that are resolved already."""
    if settings.uri is None:
        from kgdb.runtime import LocalServer

        endpoint = LocalServer(settings).start(report)
        settings = replace(
            settings,
            uri=endpoint.uri,
            username=endpoint.username,
            password=endpoint.password,
        )
    connection = Connection(settings, report)
    if settings.plugin != "never":
        try:
            # Refuses a server that has none where it is required.
            _ = connection.uses_plugin
        except PluginMissing:
            connection.close()
            raise
        if notice := plugin_notice(connection.plugin_version()):
            report(Message(notice))
    return connection


class Connection(Database):
    """A database with its knowledge graphs, as :func:`connect` gives it."""

    def __init__(self, settings: Settings, report: Report) -> None:
        super().__init__(
            settings.uri or "",
            settings.username,
            settings.password,
            settings.database,
            settings.plugin,
        )
        self._settings = settings
        self.report = report
        self._encoders: dict[str, Encoder] = {}
        self._llms: dict[str, LanguageModel | None] = {}

    def graphs(self) -> tuple[GraphInfo, ...]:
        """What is loaded."""
        return list_graphs(self)

    def graph(self, name: str | None = None) -> KnowledgeGraph:
        """The loaded graph of that name, or the only one there is."""
        return KnowledgeGraph(self, find_graph(self, name))

    def gds(self) -> GraphDataScience:
        """The Graph Data Science client over this connection (extra ``gds``)."""
        client = _optional("graphdatascience", "gds")
        return client.GraphDataScience(self.driver, database=self.name)

    def py2neo(self) -> Py2neoGraph:
        """A ``py2neo.Graph`` of the same database, for code that wants one (extra ``py2neo``)."""
        settings = self._settings
        return _optional("py2neo", "py2neo").Graph(
            settings.uri, auth=(settings.username, settings.password), name=self.name
        )

    def encoder(self, name: str | None = None) -> Encoder:
        """The encoder of that name (default: the settings'), loaded once per connection."""
        from kgdb.language import load_encoder

        name = name or self._settings.encoder
        if name not in self._encoders:
            self._encoders[name] = load_encoder(replace(self._settings, encoder=name))
        return self._encoders[name]

    def llm(self, name: str | None = None) -> LanguageModel | None:
        """The language model of that name (default: the settings'), loaded once."""
        from kgdb.language import load_llm

        name = name or self._settings.llm
        if name not in self._llms:
            self._llms[name] = load_llm(replace(self._settings, llm=name), self.report)
        return self._llms[name]

    def models(self, llm: str | None = None, encoder: str | None = None) -> str:
        """The names of the models that answer when these are asked for, as one text."""
        return f"llm {llm or self._settings.llm}, encoder {encoder or self._settings.encoder}"


class KnowledgeGraph(Graph):
    """One loaded graph: retrieval, and answers by any method."""

    database: Connection

    def __init__(self, connection: Connection, info: GraphInfo) -> None:
        super().__init__(connection, info)
        self._methods: dict[tuple[Any, ...], Method] = {}

    def answer(
        self,
        question: str,
        *,
        method: str = "refkg",
        llm: str | None = None,
        encoder: str | None = None,
        options: Options | None = None,
    ) -> Answer:
        """Answer ``question`` from this graph; see :class:`kgdb.model.Answer`.

        ``llm`` and ``encoder`` are names as ``--llm`` and ``--encoder`` take them.
        """
        return self.method(method, llm=llm, encoder=encoder, options=options).answer(question)

    def method(
        self,
        name: str = "refkg",
        *,
        llm: str | None = None,
        encoder: str | None = None,
        options: Options | None = None,
    ) -> Method:
        """The method of that name over this graph, its models loaded."""
        from kgdb.methods import create

        key = (name, llm, encoder, options)
        if key not in self._methods:
            self._methods[key] = create(
                name, self, self.database.encoder(encoder), self.database.llm(llm), options
            )
        return self._methods[key]


def _log(event: Event) -> None:
    if isinstance(event, Message):
        _LOG.info(event.text)


def _optional(module: str, extra: str) -> Any:
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise UsageError(
            f"The Python package {module!r} is not installed.",
            hint=f'pip install "kgdb[{extra}]"',
        ) from error
