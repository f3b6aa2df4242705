"""``kgdb query``: a logical form, run as it is written."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, BinaryIO

import click
from rich.text import Text

from kgdb.cli.console import out, plain_table, print_json
from kgdb.cli.main import EXIT_NO_ANSWER
from kgdb.cli.shared_options import connected, json_option
from kgdb.cli.showing import heading, show_entities, show_facts
from kgdb.errors import UsageError
from kgdb.values import EntityValue
from kgdb.wording import counted, one_line

if TYPE_CHECKING:
    from kgdb.graph.forms import FormResult


@click.command(
    "query",
    epilog="""Example: echo '{"op": "Count", "form": {"op": "FindAll"}}' | kgdb query demo -""",
)
@click.argument("graph")
@click.argument("form", type=click.File("rb"), required=False)
@click.option(
    "--schema",
    "only_schema",
    is_flag=True,
    help="Print the JSON schema of the graph's forms instead, as a language model's grammar.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    help="Entities or values, and facts of the evidence, that are shown; the total is exact.",
)
@click.option(
    "--timeout-ms",
    type=click.IntRange(min=0),
    default=60_000,
    show_default=True,
    help="End the query after this time; 0: never.",
)
@json_option
def query_command(
    graph: str,
    form: BinaryIO | None,
    only_schema: bool,
    limit: int,
    timeout_ms: int,
    as_json: bool,
) -> None:
    """Run a logical form: print its value or its entities, and the facts that prove it.

    FORM is a file with the form in JSON; - is standard input. docs/reference/forms.md lists the
    operators.
    """
    from kgdb.graph.forms import form_schema, form_text, read_form
    from kgdb.graph.forms.printing import words_of

    if form is None and not only_schema:
        raise UsageError(
            "No form is given.", hint="Name a file with the form in JSON, or - for standard input."
        )
    parsed = None if form is None or only_schema else read_form(form.read())
    with connected() as connection:
        kg = connection.graph(graph)
        if parsed is None:
            print_json(form_schema(kg.schema))
            return
        result = kg.query(parsed, limit=limit, timeout_ms=timeout_ms)
        text = form_text(parsed, words_of(kg.relations))
    if as_json:
        print_json({"graph": graph, "interpretation": text, **result.to_dict()})
    else:
        heading(text)
        _show(result, limit)
    if result.is_empty:
        sys.exit(EXIT_NO_ANSWER)


def _show(result: FormResult, limit: int) -> None:
    value = result.value
    if isinstance(value, bool):
        out.print(Text("yes" if value else "no", style="bold green"))
    elif isinstance(value, tuple) and value:
        _show_values(value)
    elif value is not None and value != ():
        out.print(Text(one_line(str(value)), style="bold green"))
    elif not result.entities:
        out.print("nothing" if result.total == 0 else "nothing is shown")
    show_entities(result.entities)
    show_facts(Text("because", style="green"), result.facts, len(result.facts))
    kinds = ("entity", "entities") if result.counts_entities else ("value", "values")
    kinds = ("relationship", "relationships") if result.counts_relationships else kinds
    cut = f" (the first {limit:,} are shown: --limit)" if result.truncated else ""
    out.print(Text(f"{counted(result.total, *kinds)}{cut}", style="dim"))


def _show_values(values: Sequence[EntityValue]) -> None:
    """Values with their entities, or groups with their numbers, as a table."""
    ids_of: dict[str, set[str]] = {}
    for each in values:
        ids_of.setdefault(one_line(each.entity.name), set()).add(each.entity.id)
    table = plain_table("entity", "value")
    for each in values:
        name = one_line(each.entity.name)
        id_ = f" ({one_line(each.entity.id)})" if len(ids_of[name]) > 1 else ""
        table.add_row(Text(f"{name}{id_}"), Text(one_line(str(each.value))))
    out.print(table)
