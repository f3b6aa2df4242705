"""What ``kgdb load --dry-run`` prints."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from rich import box
from rich.markup import escape
from rich.table import Table

from kgdb.cli.console import out, print_json

if TYPE_CHECKING:
    from kgdb.loading import Preview

_RELATIONS = 20
_BAR = 30
_WIDEST = 60


def show_preview(preview: Preview, *, as_json: bool) -> None:
    """Print it, for people or for programs."""
    if as_json:
        print_json(asdict(preview))
        return
    counts = preview.counts
    out.print(f"{preview.name}: {preview.title} ({preview.licence})", markup=False)
    entities = f"{counts.entities:,} entities"
    if counts.mediators:
        entities += f" ({counts.mediators:,} of them mediators)"
    literals = f", {counts.literals:,} literals" if counts.literals else ""
    out.print(
        f"{counts.triples:,} triples, {entities}{literals}, {counts.relations:,} relations",
        markup=False,
    )
    parts = [
        f"{counts.triples:,} triples",
        f"{counts.duplicates:,} duplicates",
        f"{counts.skipped:,} skipped",
        *(f"{share.records:,} {share.why}" for share in preview.shares),
    ]
    out.print(f"{counts.records:,} records read = {' + '.join(parts)}", markup=False)
    _show_relations(preview)
    labels = [preview.label, *(f"{label} ({count:,})" for label, count in preview.labels)]
    more = f" and {len(labels) - _RELATIONS:,} more" if len(labels) > _RELATIONS else ""
    out.print(f"labels: {', '.join(labels[:_RELATIONS])}{more}", markup=False)
    out.print("\nfor instance:")
    for head, relation, tail in preview.examples:
        facts = " ".join((_short(head), f"–{relation}→", _short(tail)))
        out.print(f"  {facts}", markup=False)
    _show_problems(preview)
    if preview.unused:
        unused = ", ".join(preview.unused)
        out.print(f"\nThe loader has texts for what the source has not: {unused}", markup=False)


def _show_relations(preview: Preview) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("relation", no_wrap=True)
    table.add_column("triples", justify="right")
    table.add_column("", no_wrap=True)
    most = preview.relations[0][1]
    for relation, count in preview.relations[:_RELATIONS]:
        table.add_row(escape(relation), f"{count:,}", "█" * max(1, round(_BAR * count / most)))
    hidden = preview.relations[_RELATIONS:]
    if hidden:
        table.add_row(f"and {len(hidden):,} more", f"{sum(count for _, count in hidden):,}", "")
    out.print(table)


def _show_problems(preview: Preview) -> None:
    if preview.problems:
        out.print("\nskipped:")
    for problem in preview.problems:
        out.print(f"  {problem.records:,} × {problem.problem}", markup=False)
        for line in problem.examples:
            out.print(f"      {line.file}, line {line.line}: {_short(line.text)!r}", markup=False)


def _short(text: str) -> str:
    return text if len(text) <= _WIDEST else text[:_WIDEST] + "…"
