"""``kgdb remove``."""

from __future__ import annotations

import click

from kgdb.cli.connection_options import settings_of
from kgdb.cli.console import out
from kgdb.cli.shared_options import connected
from kgdb.errors import GraphNotFound, UsageError
from kgdb.wording import listed, one_line, short


@click.command("remove", epilog="Example: kgdb remove demo")
@click.argument("graph", required=False)
@click.option(
    "--all", "every", is_flag=True, help="Stop the local Neo4j and delete all that it holds."
)
@click.option("--yes", is_flag=True, help="Do not ask before all is deleted.")
@click.option("--replies", is_flag=True, help="Remove the kept replies of language models instead.")
def remove_command(graph: str | None, every: bool, yes: bool, replies: bool) -> None:
    """Remove a graph with its indexes. What was adopted stays as it was before kgdb adopt."""
    if [graph is not None, every, replies].count(True) != 1:
        raise UsageError(
            "It is not clear what to remove.", hint="Name one GRAPH, or give --all or --replies."
        )
    if replies:
        _remove_replies()
    elif every:
        _reset(yes=yes)
    else:
        _unload(str(graph))


def _unload(graph: str) -> None:
    from kgdb import loading

    with connected() as connection:
        loaded = {info.name: info for info in connection.graphs()}
        if graph not in loaded:
            raise GraphNotFound(
                f"The graph {short(graph)} is not loaded. Loaded: {listed(loaded)}."
            )
        loading.unload(connection, loaded[graph], report=connection.report)
    out.print(one_line(f"Removed {graph}."), markup=False)


def _reset(*, yes: bool) -> None:
    from kgdb.runtime import LocalServer, instances

    settings = settings_of()
    server = LocalServer(settings)
    if settings.instance not in (existing := instances(settings)):
        raise UsageError(
            f"There is no local server {short(settings.instance)}; nothing was deleted.",
            hint=f"There are: {listed(existing)}.",
        )
    if not yes:
        status = server.status()
        click.confirm(
            f"Delete every graph of {short(status.instance)} in {status.home}?", abort=True
        )
    server.reset()
    out.print("Deleted. The downloaded server files stay.")


def _remove_replies() -> None:
    from kgdb.language import cache_folder
    from kgdb.language.recording.reply_cache import clear

    folder = cache_folder(settings_of())
    freed = clear(folder)
    out.print(f"Removed {freed / 1_000_000:.1f} MB of replies from {folder}.", markup=False)
