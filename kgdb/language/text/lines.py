"""Texts of a graph as the lines of a prompt.

Names come out of the graph and may say anything. They are data: put on one line, shortened, and
never more than a part of a line that kgdb wrote.
"""

from __future__ import annotations

from collections.abc import Sequence

LONGEST_LINE = 600
"""Characters of a piece of evidence that are shown: a name may be a whole book."""


def one_line(text: str, longest: int = LONGEST_LINE) -> str:
    """A text out of the graph as a prompt shows it: without line breaks, and not endless."""
    flat = " ".join(text.split())
    return flat if len(flat) <= longest else f"{flat[: longest - 1]}…"


def numbered(lines: Sequence[str]) -> str:
    """The lines as a prompt lists them."""
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))
