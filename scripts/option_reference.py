"""Writes the options of the methods as Markdown, from their declarations.

Without arguments it prints a reference of all methods. Given files, it renews in each the tables
between ``<!-- options of METHOD, from the code by make docs -->`` and
``<!-- end of the options -->``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from kgdb.methods import METHODS
from kgdb.methods.options import Option, describe

_MARKED = re.compile(
    r"(<!-- options of (\w+), from the code by make docs -->\n).*?(<!-- end of the options -->)",
    re.DOTALL,
)


def main(files: Sequence[str]) -> None:
    """Print the reference, or renew the marked tables of the files."""
    if not files:
        print(reference(), end="")
    for name in files:
        path = Path(name)
        path.write_text(renewed(path.read_text(encoding="utf-8")), encoding="utf-8")


def reference() -> str:
    """A page with a section for each method."""
    sections = [
        f"## {name}\n\n{kind.summary}\n\n{option_table(name)}" for name, kind in METHODS.items()
    ]
    head = "# Options of the methods\n\nMade by `make docs` from the methods' own declarations.\n"
    return "\n".join([head, *sections])


def renewed(page: str) -> str:
    """The page with the tables between its marks as they are now."""
    return _MARKED.sub(lambda marked: marked[1] + option_table(marked[2]) + marked[3], page)


def option_table(method: str) -> str:
    """The options of a method as one table, each group below its title."""
    return "\n".join(_rows(describe(METHODS[method].options))) + "\n"


def _rows(options: Sequence[Option]) -> Iterator[str]:
    yield "| option | takes | default | help |"
    yield "|---|---|---|---|"
    for group, of_group in groupby(options, key=lambda option: option.group):
        if group:
            yield f"| **{group}** | | | |"
        for option in of_group:
            takes = option.takes.replace(" | ", ", ")
            yield f"| `{option.name}` | {takes} | `{option.default}` | {option.help} |"


if __name__ == "__main__":
    main(sys.argv[1:])
