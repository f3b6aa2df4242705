"""``kgdb schema``: what a graph has, as the forms of ``kgdb query`` name it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.text import Text

from kgdb.cli.console import out, plain_table, print_json
from kgdb.cli.parameter_types import NamedPath
from kgdb.cli.shared_options import connected, json_option
from kgdb.wording import brief, counted, one_line

if TYPE_CHECKING:
    from kgdb.connection import Connection, KnowledgeGraph
    from kgdb.graph.schema import RelationEnds

_LONGEST = 40
"""Characters of an example that are shown."""

_MOST_PAIRS = 8


@click.command("schema", epilog="Example: kgdb schema demo")
@click.argument("graph")
@click.option(
    "--texts",
    is_flag=True,
    help="Print the texts of the relations instead, as TOML: kgdb compares questions with them.",
)
@click.option(
    "--set-texts",
    "file",
    type=NamedPath(path_type=Path, exists=True, dir_okay=False),
    help="Replace texts by those of this file. Relations that it leaves out keep theirs.",
)
@click.option(
    "--synonyms",
    type=NamedPath(path_type=Path, exists=True, dir_okay=False),
    help="Teach the graph words for its labels, properties and relations: a file in TOML or JSON "
    'with NAME = ["word", …]. Names that it leaves out keep their words.',
)
@json_option
def schema_command(
    graph: str, texts: bool, file: Path | None, synonyms: Path | None, as_json: bool
) -> None:
    """Show the labels, properties and relations of a graph.

    The types and examples of properties come from samples, so that the command is fast on a graph
    of any size. The facts of a relation are counted, also by the labels that it joins; a number of
    a large relation that is estimated from a sample has the sign ≈.
    """
    with connected() as connection:
        kg = connection.graph(graph)
        if texts or file:
            _texts(connection, kg, file)
        if synonyms:
            _synonyms(kg, synonyms)
        if texts or file or synonyms:
            return
        schema = kg.schema
    if as_json:
        print_json({"graph": graph, **schema.to_dict()})
        return
    if schema.labels:
        _print(("label", "nodes"), ((name, f"{n:,}") for name, n in schema.labels.items()))
    if schema.properties:
        _print(
            ("property", "type", "of", "examples", "held as"),
            (
                (
                    each.name,
                    each.type,
                    _names(each.labels),
                    ", ".join(brief(str(example), _LONGEST) for example in each.examples),
                    "relation" if each.relation else "property",
                )
                for each in schema.properties.values()
            ),
        )
    _print(
        ("relation", "facts", "joins", "its own properties"),
        (
            (
                each.relation,
                f"{each.count:,}",
                _joins(each),
                ", ".join(f"{p.name} ({p.type})" for p in each.properties),
            )
            for each in sorted(schema.relations.values(), key=lambda r: (-r.count, r.relation))
        ),
    )
    if schema.synonyms:
        _print(("name", "also called"), ((n, ", ".join(w)) for n, w in schema.synonyms.items()))
    if schema.foreign_keys:
        keys = ", ".join(map(one_line, schema.foreign_keys))
        out.print(Text(f"Left out, because relations say the same: {keys}", style="dim"))
    if schema.vectors:
        names = ", ".join(map(one_line, schema.vectors))
        out.print(Text(f"Left out, because they are embeddings: {names}", style="dim"))


def _texts(connection: Connection, kg: KnowledgeGraph, file: Path | None) -> None:
    """Print the texts of a graph's relations, or replace them by those of a file."""
    from kgdb.loading import print_texts, set_texts

    if file is None:
        click.echo(print_texts(kg.relations.values()), nl=False)
        return
    content = file.read_text(encoding="utf-8")
    changed = set_texts(
        connection, kg.info, content, encoder=connection.encoder, report=connection.report
    )
    out.print(f"Set the texts of {counted(changed, 'relation')}.", markup=False)


def _synonyms(kg: KnowledgeGraph, file: Path) -> None:
    """Teach a graph the words of a file."""
    from kgdb.loading import set_synonyms

    taught = set_synonyms(kg, file.read_text(encoding="utf-8"))
    out.print(f"Set the synonyms of {counted(taught, 'name')}.", markup=False)


def _joins(relation: RelationEnds) -> list[str]:
    """The pairs of labels that a relation joins, each with its facts, the most frequent first."""
    pairs = sorted(relation.pairs.items(), key=lambda item: (-item[1], item[0]))
    shown = [
        f"{head} → {tail} {'≈' if (head, tail) in relation.estimated else ''}{facts:,}"
        for (head, tail), facts in pairs[:_MOST_PAIRS]
    ]
    if len(pairs) > _MOST_PAIRS:
        shown.append(f"{counted(len(pairs) - _MOST_PAIRS, 'more pair')}")
    return shown or [f"{_names(relation.heads)} → {_names(relation.tails)}"]


def _names(labels: Mapping[str, int]) -> str:
    """Labels, the most frequent first."""
    ranked = sorted(labels.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(name for name, _ in ranked if name) or "-"


def _print(columns: Iterable[str], rows: Iterable[Iterable[Any]]) -> None:
    table = plain_table(*columns)
    for row in rows:
        lines = (cell if isinstance(cell, list) else [str(cell)] for cell in row)
        table.add_row(*(Text("\n".join(map(one_line, cell))) for cell in lines))
    out.print(table)
