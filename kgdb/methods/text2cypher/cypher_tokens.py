"""The tokens and clauses of a Cypher query, as far as kgdb looks into one that a model wrote.

The database has accepted the query before: nothing here decides whether it may run.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "name", "number", "other"]

_TOKEN = re.compile(
    r"(?P<space>\s+|//[^\n]*|/\*.*?\*/)"
    r"|(?P<text>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
    r"|(?P<name>`(?:[^`]|``)+`|[^\W\d]\w*)"
    r"|(?P<number>\d+(?:\.\d+)?\w*)"
    r"|(?P<other>.)",
    re.DOTALL,
)
_OPENING, _CLOSING = "([{", ")]}"
_CLAUSE_WORDS = frozenset(
    ["MATCH", "WHERE", "WITH", "UNWIND", "RETURN", "ORDER", "SKIP", "OFFSET", "LIMIT", "UNION"]
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


@dataclass(frozen=True, slots=True)
class Token:
    """A token and its place; ``inside`` are the brackets that are open before it."""

    kind: Kind
    text: str
    start: int
    inside: str

    @property
    def end(self) -> int:
        """The place behind it."""
        return self.start + len(self.text)

    @property
    def word(self) -> str:
        """A name without quotes in upper case, as keywords are compared; else nothing."""
        return self.text.upper() if self.kind == "name" and self.text[0] != "`" else ""


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause: its first keyword (``MATCH`` also for ``OPTIONAL MATCH``) and what follows."""

    keyword: str
    tokens: tuple[Token, ...]
    start: int
    end: int


def tokens_of(query: str) -> list[Token]:
    """The tokens without spaces and comments."""
    found: list[Token] = []
    inside = ""
    for match in _TOKEN.finditer(query):
        kind = match.lastgroup
        if kind == "space":
            continue
        if match[0] in _CLOSING:
            inside = inside[:-1]
        found.append(Token(kind, match[0], match.start(), inside))  # type: ignore[arg-type]
        if match[0] in _OPENING:
            inside += match[0]
    return found


def clauses_of(query: str) -> list[Clause]:
    """The clauses outside of all brackets, in their order."""
    tokens = [token for token in tokens_of(query) if token.text != ";" or token.inside]
    begins = [n for n in range(len(tokens)) if _begins_clause(tokens, n)]
    clauses = []
    for n, begin in enumerate(begins):
        end = begins[n + 1] if n + 1 < len(begins) else len(tokens)
        own = tokens[begin + 1 : end]
        while own and own[-1].word == "OPTIONAL":
            own.pop()  # It is the beginning of the next clause.
        last = own[-1] if own else tokens[begin]
        clauses.append(Clause(tokens[begin].word, tuple(own), tokens[begin].start, last.end))
    return clauses


def _begins_clause(tokens: Sequence[Token], n: int) -> bool:
    token = tokens[n]
    if token.inside or token.word not in _CLAUSE_WORDS:
        return False
    if n and tokens[n - 1].text in (".", ":", "|", "&", "!"):
        return False  # the name of a property, label or type
    return not (n and tokens[n - 1].word in ("STARTS", "ENDS", "AS"))


def parts_of(tokens: Sequence[Token]) -> list[tuple[Token, ...]]:
    """The parts between the commas that are in no bracket of their own."""
    outer = tokens[0].inside if tokens else ""
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.text == "," and token.inside == outer:
            parts.append([])
        else:
            parts[-1].append(token)
    return [tuple(part) for part in parts if part]


def unquoted(name: str) -> str:
    """A name without its backticks."""
    return name[1:-1].replace("``", "`") if name.startswith("`") else name


def value_of(token: Token) -> str:
    """The text that a literal stands for."""
    return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), token.text[1:-1])
