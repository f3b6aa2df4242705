"""``kgdb up``, ``down`` and ``status``: the local server."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from kgdb.cli.connection_options import settings_of
from kgdb.cli.console import err, out, print_json, reporting
from kgdb.cli.parameter_types import NamedPath
from kgdb.cli.shared_options import json_option
from kgdb.errors import UsageError
from kgdb.wording import counted, each_line, listed, one_line


@click.command("up", epilog="Example: kgdb up --http-port 7474")
@click.option("--bolt-port", type=int, help="Port for clients. [default: the first free from 7687]")
@click.option("--http-port", type=int, help="Turn Neo4j's HTTP API on at this port.")
@click.option("--heap", help="Heap size, such as 2g. [default: fits the machine]")
@click.option("--page-cache", help="Page cache size, such as 1g. [default: fits the machine]")
@click.option(
    "--plugin",
    "jars",
    multiple=True,
    metavar="FILE",
    type=NamedPath(path_type=Path, dir_okay=False),
    help="Install the jar of a Neo4j plugin, such as APOC, in the server for good.",
)
@click.option(
    "--unrestricted",
    metavar="NAMES",
    help="Procedures of such plugins that may use the server's internals, such as apoc.*",
)
@click.option(
    "--models",
    is_flag=True,
    help="Also fetch the models, to work offline.",
)
def up_command(jars: tuple[Path, ...], models: bool, **arguments: str | int | None) -> None:
    """Start the local Neo4j. The first start downloads it."""
    from kgdb.runtime import LocalServer

    server = LocalServer(settings_of(**arguments))
    with reporting() as report:
        for jar in jars:
            server.add_plugin(jar, report)
        endpoint = server.revive(report)
    out.print(f"Neo4j runs at {endpoint.uri} (user {endpoint.username}).")
    if models:
        fetch_models()
    out.print('For other tools: eval "$(kgdb status --env)"', style="dim")


@click.command("down", epilog="Example: kgdb down")
def down_command() -> None:
    """Stop the local Neo4j; its data stays."""
    from kgdb.runtime import LocalServer

    with reporting() as report:
        stopped = LocalServer(settings_of()).stop(report)
    out.print("Stopped." if stopped else "It was not running.")


@click.command("status", epilog='Example: eval "$(kgdb status --env)"')
@click.option(
    "--env", "as_env", is_flag=True, help="Print shell lines that export NEO4J_* for other tools."
)
@click.option(
    "--log",
    "lines",
    is_flag=False,
    flag_value=40,
    type=click.IntRange(min=1),
    metavar="[LINES]",
    help="Print the end of the server's log instead, 40 lines if none are said.",
)
@json_option
def status_command(as_env: bool, lines: int | None, as_json: bool) -> None:
    """Show the status and the files of the local Neo4j."""
    from kgdb import shipped_files
    from kgdb.runtime import LocalServer

    settings = settings_of()
    if lines:
        tail = LocalServer(settings).log_tail(lines)
        out.print(each_line(tail.expandtabs()), markup=False)
        return
    status = LocalServer(settings).status()
    if settings.uri:
        err.print(f"Other commands use NEO4J_URI, {settings.uri}, not this server.")
    if as_env:
        if status.endpoint is None:
            raise UsageError("The local server is not running.", hint="Start it with: kgdb up")
        click.echo(status.endpoint.env_lines())
        return
    fields = asdict(status)
    fields["endpoint"] = status.endpoint.uri if status.endpoint else None
    fields["plugins"] = list(status.plugins) if as_json else listed(status.plugins)
    fields["plugin_jar"] = shipped_files.plugin()
    if as_json:
        print_json(fields)
        return
    for size in ("heap", "page_cache", "store_size"):
        if fields[size] is not None:
            fields[size] = f"{fields[size] / 2**20:,.0f} MiB"
    for name, value in fields.items():
        out.print(f"{name.replace('_', ' '):>15}  {'-' if value is None else value}", markup=False)


def fetch_models() -> None:
    """Fetch what the encoder and the language model need, and check that they load."""
    from kgdb.language import load_encoder, load_llm

    settings = settings_of()
    with reporting() as report:
        encoding = load_encoder(settings)
        size = counted(encoding.encode(["a"]).shape[1], "dimension")
        out.print(one_line(f"encoder: {encoding.name}, {size}"), markup=False)
        model = load_llm(settings, report)
        out.print(one_line(f"language model: {model.name if model else 'none'}"), markup=False)
