"""``kgdb keys``: the keys of a service."""

from __future__ import annotations

import click

from kgdb.cli.connection_options import settings_of
from kgdb.cli.console import out, plain_table, print_json
from kgdb.cli.parameter_types import with_whole_texts
from kgdb.cli.shared_options import json_option
from kgdb.serving.access_keys import KeyRing


@click.group("keys", epilog="Example: kgdb keys add support-bot --graph products")
def keys_command() -> None:
    """Make, list and revoke the keys of kgdb serve; a running service sees the change at once."""


@click.command("add", epilog="Example: kgdb keys add support-bot --graph demo")
@click.argument("name")
@click.option("--graph", "graphs", multiple=True, help="A graph that it may see. [default: all]")
@click.option("--cypher", is_flag=True, help="It may also run Cypher that only reads.")
@click.option(
    "--per-minute",
    type=click.IntRange(min=1),
    help="Questions and other requests a minute; each of several questions counts. [default: any "
    "number]",
)
@click.option(
    "--tokens-per-day",
    type=click.IntRange(min=1),
    help="Tokens that language models read and write for it, until midnight (UTC). [default: any "
    "number]",
)
@click.option(
    "--cost-per-day",
    type=click.FloatRange(min=0, min_open=True),
    help="What these may cost, by KGDB_LLM_PRICES. [default: anything]",
)
def add_key(
    name: str,
    graphs: tuple[str, ...],
    cypher: bool,
    per_minute: int | None,
    tokens_per_day: int | None,
    cost_per_day: float | None,
) -> None:
    """Make a key; it is shown once, and kept as a hash."""
    rights = ("ask", "cypher") if cypher else ("ask",)
    click.echo(_keys().add(name, graphs, rights, per_minute, tokens_per_day, cost_per_day))


@click.command("list", epilog="Example: kgdb keys list --json")
@json_option
def list_keys(as_json: bool) -> None:
    """List the keys, without the secrets, which nobody has."""
    keys = _keys().all()
    if as_json:
        print_json([key.to_dict() for key in keys])
        return
    limits = ("per_minute", "tokens_per_day", "cost_per_day")
    table = plain_table(
        "name", "graphs", "rights", *(each.replace("_", " ") for each in limits), "made"
    )
    for key in keys:
        graphs, rights = ", ".join(key.graphs) or "all", ", ".join(key.rights)
        most = (getattr(key, each) for each in limits)
        shown = ("any" if each is None else f"{each:,}" for each in most)
        table.add_row(key.name, graphs, rights, *shown, key.made_at)
    out.print(table)


@click.command("remove", epilog="Example: kgdb keys remove support-bot")
@click.argument("name")
def remove_key(name: str) -> None:
    """Revoke a key."""
    _keys().remove(name)


for _command in (add_key, list_keys, remove_key):
    keys_command.add_command(with_whole_texts(_command))


def _keys() -> KeyRing:
    return KeyRing(settings_of().home / "keys.json")
