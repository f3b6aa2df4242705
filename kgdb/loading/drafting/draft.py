"""The parts of a drafted loader file, and their TOML."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass, field

_WIDTH = 98


@dataclass
class Draft:
    """The parts of a loader file; ``source`` has the lines of that section, ``notes`` comments.

    Of several tables ``sources`` has for each its file and the lines of its section.
    """

    notes: list[str] = field(default_factory=list)
    source: list[str] = field(default_factory=list)
    sources: dict[str, tuple[str, list[str]]] = field(default_factory=dict)
    views: dict[str, str] = field(default_factory=dict)
    tables: dict[str, str] = field(default_factory=dict)


def toml_list(texts: Iterable[str]) -> str:
    """A TOML list of texts."""
    return f"[{', '.join(map(toml, texts))}]"


def toml(text: str) -> str:
    """A TOML text, without escapes where possible."""
    lines = "\n" in text
    plain = all((ord(sign) >= 32 and sign != "\x7f") or sign == "\n" for sign in text)
    if plain and (lines or '"' in text) and "'''" not in text and not text.endswith("'"):
        return f"'''\n{text}'''"
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")
    escaped = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", lambda at: f"\\u{ord(at[0]):04X}", escaped)
    return f'"""\n{escaped}"""' if lines else f'"{escaped}"'


def comment(text: str) -> list[str]:
    """A text as comment lines, without control characters."""
    clean = re.sub(r"[\x00-\x1f\x7f]", "�", text)
    return [f"# {line}" for line in textwrap.wrap(clean, _WIDTH, break_on_hyphens=False)]
