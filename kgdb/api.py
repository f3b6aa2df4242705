"""What ``import kgdb`` gives: a connection, its graphs, and answers over them."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgdb.errors import PluginMissing, UsageError
from kgdb.extras import optional
from kgdb.graph import Database, Graph, GraphInfo, find_graph, list_graphs, plugin_notice
from kgdb.interop import Opened, Results, check_results, opened, to_py2neo
from kgdb.model import Answer, Verdict
from kgdb.progress import Event, Message, Report, silent
from kgdb.settings import BY_ENCODER, Settings, load_settings
from kgdb.texts import optional_text
from kgdb.wording import short

if TYPE_CHECKING:
    import neo4j
    from graphdatascience import GraphDataScience
    from py2neo import Graph as Py2neoGraph

    from kgdb.language import Encoder, LanguageModel, Reranker
    from kgdb.loading import LoadResult, Prepared, Way
    from kgdb.methods import Method, Reasoner, Watch

_LOG = logging.getLogger("kgdb")

_MODEL = "the name of a model"

_ANSWERING = ("reranker", "llm_dtype", "llm_context", "plugin")
"""Settings beside the names of the models that make a difference to answers and their cost."""


def connect(
    uri: str | neo4j.Driver | Py2neoGraph | GraphDataScience | None = None,
    *,
    username: str | None = None,
    password: str | None = None,
    database: str | None = None,
    instance: str | None = None,
    plugin: str | None = None,
    report: Report | None = None,
) -> Connection:
    """Connect to ``uri``, else to ``NEO4J_URI``, else to the local server, started when needed.

    In the place of an address, ``uri`` may be what is connected already: a ``neo4j.Driver`` or a
    ``graphdatascience.GraphDataScience`` object, which is used and left open, or a
    ``py2neo.Graph``, whose address and credentials are taken.

    ``plugin`` is ``"auto"`` (use the server's kgdb plugin where it has one, else plain Cypher),
    ``"required"`` or ``"never"``. ``report`` gets what there is to tell on the way (by default the
    log ``kgdb`` gets it). Raises :class:`kgdb.errors.ConnectionFailed`,
    :class:`kgdb.errors.PluginMissing` or :class:`kgdb.errors.ServerError`.
    """
    given = Opened(uri=uri) if uri is None or isinstance(uri, str) else opened(uri)
    if given.driver is not None and (username is not None or password is not None):
        raise UsageError(
            "username and password are given beside a connection that is open already.",
            hint="Leave them out, or give an address instead of the connection.",
        )
    settings = load_settings(
        uri=given.uri,
        username=given.username if username is None else username,
        password=given.password if password is None else password,
        database=given.database if database is None else database,
        instance=instance,
        plugin=plugin,
    )
    return open_connection(settings, report or _log, given)


def open_connection(settings: Settings, report: Report, given: Opened | None = None) -> Connection:
    """:func:`connect` with settings that are resolved already, and what is open of it."""
    given = given or Opened()
    if given.driver is None and settings.uri is None:
        from kgdb.runtime import LocalServer

        endpoint = LocalServer(settings).start(report)
        settings = replace(
            settings,
            uri=endpoint.uri,
            username=endpoint.username,
            password=endpoint.password,
        )
    connection = Connection(settings, report, given)
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


def load_graph(
    prepared: Prepared,
    settings: Settings,
    *,
    way: Way = "auto",
    replace: bool = False,
    pagerank: bool = True,
    embed: bool = False,
    report: Report = silent,
) -> LoadResult:
    """Load what :func:`kgdb.loading.prepare` has read into the database of these settings.

    ``way`` is as :func:`kgdb.loading.load_somehow` takes it. With ``embed``, the names of all
    entities get embeddings as well.
    """
    from kgdb import loading
    from kgdb.runtime import LocalServer

    server = None if settings.uri else LocalServer(settings)

    def connect() -> Connection:
        return open_connection(settings, report)

    def encoder() -> Encoder:
        from kgdb.language import load_encoder

        return load_encoder(settings)

    result = loading.load_somehow(
        prepared,
        server,
        connect,
        way=way,
        replace=replace,
        pagerank=pagerank,
        encoder=encoder,
        report=report,
    )
    if embed:
        with connect() as connection:
            loading.embed_names(connection, result.graph, connection.encoder(), report=report)
    return result


class Connection(Database):
    """A database with its knowledge graphs, as :func:`connect` gives it."""

    def __init__(self, settings: Settings, report: Report, given: Opened | None = None) -> None:
        given = given or Opened()
        super().__init__(
            given.driver or settings.uri or "",
            settings.username,
            settings.password,
            settings.database,
            settings.plugin,
        )
        self._settings = settings
        self._gds = given.gds
        self._py2neo = given.py2neo
        self.report = report
        self._encoders: dict[str, Encoder] = {}
        self._llms: dict[str, LanguageModel | None] = {}
        self._cross_encoder: Reranker | None = None

    @property
    def home(self) -> Path:
        """The folder of what kgdb keeps on this machine."""
        return self._settings.home

    def graphs(self) -> tuple[GraphInfo, ...]:
        """What is loaded."""
        return list_graphs(self)

    def graph(self, name: str | None = None) -> KnowledgeGraph:
        """The loaded graph of that name, or the only one there is."""
        return KnowledgeGraph(self, find_graph(self, name))

    def adopt(
        self,
        name: str,
        label: str,
        *,
        id_property: str = "id",
        name_property: str = "name",
        alias_properties: Sequence[str] = (),
        title: str | None = None,
    ) -> KnowledgeGraph:
        """Use the nodes with ``label``, which are here already, as the graph ``name``.

        Only bookkeeping and indexes are written; see :func:`kgdb.loading.adopt`.
        """
        from kgdb.loading import adopt

        adopt(
            self,
            name,
            label,
            id_property=id_property,
            name_property=name_property,
            alias_properties=alias_properties,
            title=title,
            encoder=self.encoder,
            report=self.report,
        )
        return self.graph(name)

    def py2neo(self) -> Py2neoGraph:
        """A ``py2neo.Graph`` of the same database, for code that wants one (extra ``py2neo``)."""
        settings = self._settings
        if self._py2neo is None:
            if self._borrowed:
                raise UsageError(
                    "The connection was given as an open driver, which does not tell the password "
                    "that py2neo needs.",
                    hint="Connect by an address and a password, or by a py2neo.Graph.",
                )
            self._py2neo = optional("py2neo", "py2neo").Graph(
                settings.uri, auth=(settings.username, settings.password), name=self.name
            )
        return self._py2neo

    def encoder(self, name: str | None = None) -> Encoder:
        """The encoder of that name (default: the settings'), loaded once per connection."""
        from kgdb.language import load_encoder

        name = optional_text("encoder", name, _MODEL) or self._settings.encoder
        if name not in self._encoders:
            self._encoders[name] = load_encoder(replace(self._settings, encoder=name))
        return self._encoders[name]

    def llm(self, name: str | None = None) -> LanguageModel | None:
        """The language model of that name (default: the settings'), loaded once."""
        from kgdb.language import load_cached_llm

        name = optional_text("llm", name, _MODEL) or self._settings.llm
        if name not in self._llms:
            self._llms[name] = load_cached_llm(replace(self._settings, llm=name), self.report)
        return self._llms[name]

    def reranker(self, encoder: str | None = None) -> Reranker:
        """What judges how well a text answers a question: as the settings name it, loaded once.

        It is the encoder of that name (default: the settings') where they name no cross-encoder.
        """
        from kgdb.language import BiEncoderReranker, load_cross_encoder

        optional_text("encoder", encoder, _MODEL)
        if self._settings.reranker == BY_ENCODER:
            return BiEncoderReranker(self.encoder(encoder))
        if self._cross_encoder is None:
            self._cross_encoder = load_cross_encoder(self._settings)
        return self._cross_encoder

    @property
    def prices(self) -> tuple[float, float] | None:
        """What a million tokens cost, those of prompts and those of replies, where it is known."""
        return self._settings.llm_prices

    @property
    def examples(self) -> Path:
        """The folder of the user's own examples; see :mod:`kgdb.language.examples`."""
        return self._settings.home / "examples"

    def models(self, llm: str | None = None, encoder: str | None = None) -> str:
        """What answers when these models are asked for, as one text.

        It names the models, and those settings that change what they answer or what is found, where
        they are not the default.
        """
        settings, default = self._settings, Settings()
        named = {
            "llm": optional_text("llm", llm, _MODEL) or settings.llm,
            "encoder": optional_text("encoder", encoder, _MODEL) or settings.encoder,
        }
        for name in _ANSWERING:
            if (value := getattr(settings, name)) != getattr(default, name):
                named[name] = str(value)
        return ", ".join(f"{name} {value}" for name, value in named.items())


class KnowledgeGraph(Graph):
    """One loaded graph: retrieval, and answers by any method."""

    database: Connection

    def __init__(self, connection: Connection, info: GraphInfo) -> None:
        super().__init__(connection, info)

    def to_py2neo(self, found: Results) -> Any:
        """What was found as bound values of py2neo; see :func:`kgdb.interop.to_py2neo`."""
        check_results(found)
        return to_py2neo(found, self, self.database.py2neo())

    def answer(
        self,
        question: str,
        *,
        method: str = "refkg",
        llm: str | None = None,
        encoder: str | None = None,
        **options: Any,
    ) -> Answer:
        """Answer ``question`` from this graph; see :class:`kgdb.model.Answer`.

        ``llm`` and ``encoder`` are names as ``--llm`` and ``--encoder`` take them; the rest are
        options of the method.
        """
        from kgdb.methods import check_question

        check_question(question)
        return self.reasoner(method, llm=llm, encoder=encoder, **options).answer(question)

    def verify(
        self,
        claim: str,
        *,
        method: str = "refkg",
        llm: str | None = None,
        encoder: str | None = None,
        **options: Any,
    ) -> Verdict:
        """Judge ``claim`` by this graph, with the options of :meth:`answer`.

        See :class:`kgdb.model.Verdict`.
        """
        from kgdb.methods import check_question

        check_question(claim, "claim")
        return self.reasoner(method, llm=llm, encoder=encoder, **options).verify(claim)

    def reasoner(
        self,
        method: str | Method = "refkg",
        *,
        llm: str | None = None,
        encoder: str | None = None,
        watch: Watch | None = None,
        **options: Any,
    ) -> Reasoner:
        """The method (by its name, or one that is made) over this graph, its models loaded.

        ``watch`` is told of each stage that ends: the question and the stage.
        """
        from kgdb.methods import Reasoner, Tools, create

        if isinstance(method, str):
            chosen = create(method, options)
        elif callable(getattr(method, "answer", None)) and callable(
            getattr(method, "verify", None)
        ):
            chosen = method
        else:
            raise UsageError(
                f"method is {short(method)}; expected the name of a method, or one that is made.",
                hint="kgdb methods lists them.",
            )
        database = self.database
        tools = Tools(
            self,
            database.encoder(encoder),
            database.llm(llm),
            database.reranker(encoder),
            watch,
            database.home,
            database.prices,
            database.examples,
        )
        return Reasoner(chosen, tools)


def _log(event: Event) -> None:
    if isinstance(event, Message):
        _LOG.info(event.text)
