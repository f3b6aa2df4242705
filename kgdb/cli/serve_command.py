"""``kgdb serve``: the graphs over HTTP, or as MCP tools over standard input and output."""

from __future__ import annotations

import logging
import socket
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from kgdb.api import open_connection
from kgdb.cli.connection_options import settings_of
from kgdb.cli.console import err, reporting
from kgdb.cli.shared_options import model_options
from kgdb.connection import Connection
from kgdb.errors import KgdbError, UsageError
from kgdb.optional_packages import optional
from kgdb.progress import silent
from kgdb.wording import short

if TYPE_CHECKING:
    from kgdb.serving.graph_access import GraphAccess


@click.command("serve", epilog="Example: kgdb serve --port 8470")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8470,
    show_default=True,
    help="The port to listen at; 0: any that is free.",
)
@click.option(
    "--allow-host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="A name by which clients reach it; on another address than loopback, the only ones.",
)
@click.option(
    "--require-key",
    is_flag=True,
    help="Ask for a key on loopback, too; anywhere else one is always needed: kgdb keys.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=4,
    show_default=True,
    help="Threads that ask the database; what waits for them is asked together.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=1),
    default=60.0,
    show_default=True,
    help="The longest that a request may take.",
)
@click.option(
    "--stdio", is_flag=True, help="Be an MCP server over standard input and output instead."
)
@model_options
def serve_command(
    host: str,
    port: int,
    hosts: tuple[str, ...],
    require_key: bool,
    workers: int,
    seconds: float,
    stdio: bool,
    **settings: str | bool | None,
) -> None:
    """Serve the graphs of the database: REST, chat models (OpenAI's protocol) and MCP tools.

    REST is described at /openapi.json; /v1/chat/completions takes a graph as a model; /mcp is for
    agents. It starts before the database is up, and goes on when that comes back.
    """
    for module in ("fastapi", "mcp", "prometheus_client", "uvicorn"):
        optional(module, "serve")
    from kgdb.serving.access_keys import KeyRing
    from kgdb.serving.graph_access import GraphAccess
    from kgdb.serving.serve_options import ServeOptions
    from kgdb.serving.service import Service

    found = settings_of(**settings)
    options = ServeOptions(
        host, port, hosts, require_key=require_key, workers=workers, seconds=seconds
    )

    def connect() -> Connection:
        if stdio:
            return open_connection(found, silent)
        with reporting() as report:
            return open_connection(found, report)

    # Before anything is started: a port that is taken ends the command at once.
    listening = None if stdio else _listening(host, port)
    access = GraphAccess(connect)
    service = Service(access, KeyRing(found.home / "keys.json"), options)
    threading.Thread(target=_warm, args=(access,), daemon=True).start()
    if listening is None:
        import anyio

        from kgdb.serving.access_keys import ANYBODY
        from kgdb.serving.mcp_tools import mcp_server

        anyio.run(mcp_server(service, ANYBODY).run_stdio_async)
        return
    import uvicorn

    from kgdb.serving.app import create_app

    log = logging.getLogger("kgdb.serve")
    log.setLevel(logging.INFO)
    log.propagate = False
    log.addHandler(handler := logging.StreamHandler(sys.stderr))
    handler.setFormatter(logging.Formatter("%(message)s"))
    port = listening.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    err.print(f"kgdb serves at http://{shown}:{port} (Ctrl-C ends it).", markup=False)
    config = uvicorn.Config(
        create_app(service),
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=int(seconds),
        timeout_keep_alive=30,
        limit_concurrency=options.open_requests,
        h11_max_incomplete_event_size=64 * 1024,
    )
    uvicorn.Server(config).run(sockets=[listening])


def _listening(host: str, port: int) -> socket.socket:
    """The socket of an address; raises :class:`UsageError` where nothing can listen there."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address[:2], family=family)
    except OSError as error:
        raise UsageError(
            f"Nothing can listen at {short(host)}, port {port}: {error.strerror or error}.",
            hint="Choose another with --host and --port, or stop what listens there.",
        ) from error


def _warm(access: GraphAccess) -> None:
    """Connect, and load the models, so that the first question need not wait for them."""
    with suppress(KgdbError):  # a request tells it
        connection = access.connection()
        access.graphs()
        connection.encoder()
        connection.llm()
