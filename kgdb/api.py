"""Opens connections and loads graphs, with the local server or another one."""

from __future__ import annotations

import logging
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from kgdb.connection import Connection
from kgdb.errors import DatabaseHalted, PluginMissing, UsageError
from kgdb.graph import plugin_notice
from kgdb.graph.option_values import integer
from kgdb.halted_database import is_closed
from kgdb.interop import Opened, opened
from kgdb.progress import Event, Message, Report, silent
from kgdb.settings import Settings, load_settings

if TYPE_CHECKING:
    import neo4j
    from graphdatascience import GraphDataScience
    from py2neo import Graph as Py2neoGraph

    from kgdb.async_connection import AsyncConnection
    from kgdb.language import Encoder
    from kgdb.loading import LoadMode, LoadResult, PreparedSource
    from kgdb.runtime import Endpoint, LocalServer

_LOG = logging.getLogger("kgdb")


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

    ``uri`` may also be an open connection: kgdb uses a ``neo4j.Driver`` or a
    ``graphdatascience.GraphDataScience`` object and leaves it open; of a ``py2neo.Graph`` it takes
    the address and the credentials.

    ``plugin`` is ``"auto"`` (use the server's kgdb plugin if it has one, else plain Cypher),
    ``"required"`` or ``"never"``. ``report`` receives messages and progress (default: messages go
    to the log ``kgdb``). Raises :class:`kgdb.errors.ConnectionFailed`,
    :class:`kgdb.errors.PluginMissing` or :class:`kgdb.errors.ServerError`.
    """
    given = Opened(uri=uri) if uri is None or isinstance(uri, str) else opened(uri)
    if given.driver is not None and (username is not None or password is not None):
        raise UsageError(
            "username and password do not apply to an open connection.",
            hint="Omit them, or pass an address instead of the connection.",
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


def connect_async(
    uri: str | neo4j.Driver | Py2neoGraph | GraphDataScience | None = None,
    *,
    username: str | None = None,
    password: str | None = None,
    database: str | None = None,
    instance: str | None = None,
    plugin: str | None = None,
    report: Report | None = None,
    threads: int = 32,
) -> AbstractAsyncContextManager[AsyncConnection]:
    """:func:`connect` for asyncio: the same interface, to be awaited.

    >>> async with kgdb.connect_async() as db:                        # doctest: +SKIP
    ...     kg = await db.graph("demo")
    ...     answer = await kg.answer("Who wrote The Tuesday Engine?")

    Cancelling a task ends its work, in the database too. Up to ``threads`` calls run at the same
    time; further ones wait. ``report`` is called in other threads.
    """
    from kgdb.async_connection import opened_in_thread

    def open_it() -> Connection:
        return connect(
            uri,
            username=username,
            password=password,
            database=database,
            instance=instance,
            plugin=plugin,
            report=report,
        )

    return opened_in_thread(open_it, integer(1)("threads", threads))


def open_connection(settings: Settings, report: Report, given: Opened | None = None) -> Connection:
    """:func:`connect` with resolved settings and, if there is one, an open connection."""
    given = given or Opened()
    server = None
    if given.driver is None and (settings.uri is None or _is_here(settings.uri)):
        from kgdb.runtime import local_server

        server = local_server(settings)
    if server is None or settings.uri is not None:
        disk = server.disk if server else None
        return _checked(Connection(settings, report, given, disk), settings.plugin)
    try:
        connection = _connect_to(server, server.start(report), settings, report)
    except DatabaseHalted:
        # A restart repairs it, if the disk has space.
        connection = _connect_to(server, server.revive(report), settings, report)
    if is_closed(connection.driver, connection.name) and server.disk.can_start():
        connection.close()
        connection = _connect_to(server, server.revive(report), settings, report)
    return _checked(connection, settings.plugin)


def _connect_to(
    server: LocalServer, endpoint: Endpoint, settings: Settings, report: Report
) -> Connection:
    found = replace(
        settings, uri=endpoint.uri, username=endpoint.username, password=endpoint.password
    )
    connection = Connection(found, report, disk=server.disk)
    try:
        connection.run("alive")
    except DatabaseHalted:
        connection.close()
        raise
    return connection


def _checked(connection: Connection, plugin: str) -> Connection:
    """The connection, checked to have the plugin if that is required."""
    if plugin != "never":
        try:
            # Raises if the plugin is required and missing.
            _ = connection.uses_plugin
        except PluginMissing:
            connection.close()
            raise
        if notice := plugin_notice(connection.plugin_version()):
            connection.report(Message(notice))
    return connection


def _is_here(uri: str) -> bool:
    try:
        return urlsplit(uri).hostname in ("127.0.0.1", "localhost")
    except ValueError:
        return False


def load_graph(
    prepared: PreparedSource,
    settings: Settings,
    *,
    mode: LoadMode = "auto",
    replace: bool = False,
    pagerank: bool = True,
    embed: bool = False,
    report: Report = silent,
) -> LoadResult:
    """Load what :func:`kgdb.loading.prepare` has read into the database of these settings.

    ``mode`` is that of :func:`kgdb.loading.load_auto`. With ``embed``, the names of all entities
    get embeddings too.
    """
    from kgdb import loading
    from kgdb.runtime import LocalServer

    server = None if settings.uri else LocalServer(settings)

    def connect() -> Connection:
        return open_connection(settings, report)

    def encoder() -> Encoder:
        from kgdb.language import load_encoder

        return load_encoder(settings)

    result = loading.load_auto(
        prepared,
        server,
        connect,
        mode=mode,
        replace=replace,
        pagerank=pagerank,
        encoder=encoder,
        report=report,
    )
    if embed:
        with connect() as connection:
            loading.embed_names(connection, result.graph, connection.encoder(), report=report)
    return result


def _log(event: Event) -> None:
    if isinstance(event, Message):
        _LOG.info(event.text)
