"""The parts of a model's card, a README.md, that all cards share.

Texts of a corpus are data here, too: they come into tables and lists alone, on one line and
escaped.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from kgdb.wording import brief, counted, one_line

FILE = "README.md"
PICTURE = "loss.png"
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#|!])")

Origins = Counter[tuple[str, str, str]]
"""Rows by graph, source and licence."""


def front_matter(library: str, tags: Sequence[str]) -> str:
    """The head of the card, which model hubs read."""
    head: Mapping[str, object] = {"library_name": library, "tags": list(tags)}
    return (
        "---\n" + "".join(f"{key}: {json.dumps(value)}\n" for key, value in head.items()) + "---\n"
    )


def origins_table(origins: Origins) -> str:
    """Where the rows are from, and under which licence."""
    rows = [
        (graph or "not given", source or "not given", licence or "not given", f"{count:,}")
        for (graph, source, licence), count in origins.most_common()
    ]
    return table(("graph", "source", "licence", "rows"), rows)


def origins_json(origins: Origins) -> list[dict[str, object]]:
    """The same as JSON has it."""
    return [
        {"graph": graph, "source": source, "licence": licence, "rows": rows}
        for (graph, source, licence), rows in origins.most_common()
    ]


def dropped_lines(dropped: Counter[str]) -> list[str]:
    """What was dropped, and why, as items of a list."""
    return [f"- Dropped, {cell(why)}: {counted(n, 'row')}." for why, n in dropped.most_common()]


def scores_table(before: Mapping[str, float], after: Mapping[str, float]) -> str:
    """The scores before and after; empty without any."""
    if not after:
        return ""
    rows = [
        (name.replace("_", ", ", 1), _number(name, before.get(name)), _number(name, score))
        for name, score in after.items()
    ]
    return table(("score", "before", "after"), rows)


def settings_table(settings: Mapping[str, object], steps: int, all_steps: int, best: int) -> str:
    """All settings, and the steps that were made."""
    given = dict(settings)
    given["best step"] = f"{best:,} of {steps:,} made, {all_steps:,} planned"
    return table(("setting", "value"), [(name, str(value)) for name, value in given.items()])


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A table in Markdown."""
    lines = [head, tuple("---" for _ in head), *(tuple(map(cell, row)) for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def cell(text: str) -> str:
    """A text on one line, shortened and without marks of Markdown."""
    return _MARKDOWN.sub(r"\\\1", brief(one_line(text), 200))


def code(text: str) -> str:
    """A text that stands between backticks."""
    return one_line(text).replace("`", "'")


def _number(name: str, score: float | None) -> str:
    if score is None:
        return "–"
    return f"{score:.4f}" if name.startswith("loss") else f"{score:.1%}"
