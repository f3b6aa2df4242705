"""The output of ``kgdb load --dry-run``."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from rich.text import Text

from kgdb.cli.console import out, plain_table, print_json
from kgdb.wording import counted, listed, one_line, plural

if TYPE_CHECKING:
    from kgdb.loading import Preview

_RELATIONS = 20
_BAR = 30
_WIDEST = 60
_GAPS = 8  # between the columns of the relations


def show_preview(preview: Preview, *, as_json: bool) -> None:
    """Print the preview as text or as JSON."""
    if as_json:
        print_json(asdict(preview))
        return
    counts = preview.counts
    named = f"{preview.title}: ".startswith(f"{preview.name}: ")
    title = preview.title if named else f"{preview.name}: {preview.title}"
    _say(f"{title} (licence: {preview.licence})")
    entities = counted(counts.entities, "entity", "entities")
    if counts.mediators:
        mediators = plural(counts.mediators, "a mediator", "mediators")
        entities += f" ({counts.mediators:,} of them {mediators})"
    literals = f", {counted(counts.literals, 'literal')}" if counts.literals else ""
    triples, relations = counted(counts.triples, "triple"), counted(counts.relations, "relation")
    _say(f"{triples}, {entities}{literals}, {relations}")
    parts = [
        triples,
        counted(counts.duplicates, "duplicate"),
        f"{counts.skipped:,} skipped",
        *(f"{other.records:,} {other.reason}" for other in preview.other_records),
    ]
    read = f"{counted(counts.records, 'record')} read"
    if counts.mirrored:
        read += f" + {counted(counts.mirrored, 'undirected fact')}, the other way"
    _say(f"{read} = {' + '.join(parts)}")
    _show_relations(preview)
    labels = [preview.label, *(f"{label} ({count:,})" for label, count in preview.labels)]
    more = f" and {len(labels) - _RELATIONS:,} more" if len(labels) > _RELATIONS else ""
    _say(f"labels: {', '.join(labels[:_RELATIONS])}{more}")
    out.print("\nexamples:")
    for head, relation, tail, properties in preview.examples:
        held = ", ".join(f"{key}: {_short(value)}" for key, value in properties.items())
        _say(f"  {_short(head)} –{relation}→ {_short(tail)}{f' ({held})' if held else ''}")
    _show_problems(preview)
    if preview.unused:
        out.print()
        _say(f"The loader has texts for relations that the source lacks: {listed(preview.unused)}")


def _show_relations(preview: Preview) -> None:
    table = plain_table()
    table.add_column("relation")
    table.add_column("triples", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    max_count = preview.relations[0][1]
    widest_bar = min(_BAR, out.width // 3)
    widest_count = max(len("triples"), len(f"{preview.counts.triples:,}"))
    name_width = out.width - widest_count - widest_bar - _GAPS
    for relation, count in preview.relations[:_RELATIONS]:
        bar = "█" * max(1, round(widest_bar * count / max_count))
        name = Text(
            _without_middle(one_line(relation), name_width), no_wrap=True, overflow="ellipsis"
        )
        table.add_row(name, f"{count:,}", bar)
    hidden = preview.relations[_RELATIONS:]
    if hidden:
        table.add_row(f"and {len(hidden):,} more", f"{sum(count for _, count in hidden):,}", "")
    out.print(table)


def _show_problems(preview: Preview) -> None:
    if preview.problems:
        out.print("\nskipped:")
    for problem in preview.problems:
        _say(f"  {problem.records:,} × {problem.problem}")
        for each in problem.examples:
            if each.file:
                value = _short(each.problem.removeprefix(problem.problem))
                _say(f"      {each.file}, line {each.line}{value}: {_short(each.text)!r}")
            else:
                _say(f"      {each.text!r}")


def _say(line: str) -> None:
    out.print(one_line(line), markup=False)


def _short(text: str) -> str:
    return text if len(text) <= _WIDEST else text[:_WIDEST] + "…"


def _without_middle(text: str, width: int) -> str:
    """The text cut to ``width`` characters in its middle: IRIs differ at their ends."""
    if len(text) <= width:
        return text
    begin = width // 3
    return f"{text[:begin]}…{text[begin + 1 - width :]}"
