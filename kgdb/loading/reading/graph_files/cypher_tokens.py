"""The tokens and the values of Cypher scripts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_TOKEN = re.compile(
    r"""(?P<space>(?:\s|//[^\n]*|/\*.*?\*/)+)
    |(?P<number>0x[0-9a-fA-F]+|(?:\d+\.\d+|\.\d+|\d+(?!\.\.))(?:[eE][+-]?\d+)?)
    |(?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
    |(?P<name>`(?:[^`]|``)*`|[^\W\d]\w*)
    |(?P<parameter>\$\w+)
    |(?P<sign><-|->|\+=|<>|<=|>=|=~|\.\.|[-()\[\]{}:,;.=+*/<>|&!%^])""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_ESCAPED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
_FUNCTIONS = frozenset("date datetime localdatetime time localtime duration point".split())
"""Functions whose value stands for itself: a text, or a map of numbers."""

_DAY = ("year", "month", "day")
_TIMES = {"date": _DAY} | dict.fromkeys(
    ("datetime", "localdatetime"), (*_DAY, "hour", "minute", "second")
)
"""Functions of times, and the parts that a map in their place may have."""

_WORDS = {"TRUE": True, "FALSE": False, "NULL": None}

Expression = Callable[[Mapping[str, Any]], Any]
"""A value, given those of the variables."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token: its kind, its text (of a name or a string, without the marks), and its place."""

    kind: str
    text: str
    position: int
    line: int
    quoted: bool = False

    def is_word(self, *words: str) -> bool:
        """Whether it is one of the keywords, in upper case."""
        return self.kind == "name" and not self.quoted and self.text.upper() in words


class CypherProblem(Exception):
    """What is not read, and where."""

    def __init__(self, problem: str, position: int) -> None:
        super().__init__(problem)
        self.position = position


def tokens_of(text: str) -> list[Token]:
    """The tokens of a script without spaces and comments, and an empty one at the end."""
    tokens = []
    position, line = 0, 1
    while position < len(text):
        match = _TOKEN.match(text, position)
        if not match:
            sign = text[position]
            problem = f"{sign} is not closed" if sign in "'\"`" else f"{sign} is not expected"
            raise CypherProblem(problem, position)
        kind = match.lastgroup or ""
        if kind != "space":
            tokens.append(_token(kind, match[0], position, line))
        position = match.end()
        line += match[0].count("\n")
    tokens.append(Token("end", "", len(text), line))
    return tokens


def _token(kind: str, text: str, position: int, line: int) -> Token:
    if kind == "string":
        return Token(kind, _ESCAPE.sub(_character, text[1:-1]), position, line, quoted=True)
    if kind == "name" and text.startswith("`"):
        return Token(kind, text[1:-1].replace("``", "`"), position, line, quoted=True)
    return Token(kind, text, position, line)


def _character(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    return chr(int(code, 16)) if code else _ESCAPED.get(match[3], match[3])


class Tokens:
    """A walk over tokens, with the values that begin at its place."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._at = 0

    @property
    def next(self) -> Token:
        """The token at this place."""
        return self._tokens[self._at]

    def after(self, count: int) -> Token:
        """The token ``count`` places further, or the end."""
        return self._tokens[min(self._at + count, len(self._tokens) - 1)]

    def statement(self) -> list[Token]:
        """The tokens from here to the end of the statement."""
        rest = []
        for token in self._tokens[self._at :]:
            if token.kind == "end" or (token.kind == "sign" and token.text == ";"):
                break
            rest.append(token)
        return rest

    def take(self) -> Token:
        """The token at this place; the place moves on, but not beyond the end."""
        token = self.next
        if token.kind != "end":
            self._at += 1
        return token

    def takes(self, *signs: str) -> bool:
        """Whether one of the signs is here; it is then taken."""
        found = self.next.kind == "sign" and self.next.text in signs
        if found:
            self._at += 1
        return found

    def takes_word(self, *words: str) -> bool:
        """Whether one of the keywords is here; it is then taken."""
        found = self.next.is_word(*words)
        if found:
            self._at += 1
        return found

    def expect(self, sign: str) -> None:
        """Take a sign that must be here."""
        if not self.takes(sign):
            raise self.problem(f"expected {sign}")

    def name(self, role: str) -> str:
        """Take a name that must be here."""
        if self.next.kind != "name":
            raise self.problem(f"expected {role}")
        return self.take().text

    def problem(self, problem: str) -> CypherProblem:
        """An error at this place."""
        token = self.next
        found = f"found {token.text}" if token.text else "the script ends"
        return CypherProblem(f"{problem}, {found}", token.position)

    def value(self) -> Expression:
        """The value that is written here."""
        value = self._simple()
        while self.takes("."):
            value = _property(value, self.name("a property"))
        if self.next.kind == "sign" and self.next.text in {"+", "-", "*", "/", "%", "^", "["}:
            raise self.problem("expected a plain value, not a calculation")
        return value

    def map(self) -> Expression:
        """The map that is written here."""
        self.expect("{")
        values: dict[str, Expression] = {}
        while not self.takes("}"):
            if values:
                self.expect(",")
            key = self.name("a property")
            self.expect(":")
            values[key] = self.value()
        return lambda row: {key: value(row) for key, value in values.items()}

    def _simple(self) -> Expression:
        token = self.next
        if token.kind == "sign" and token.text == "{":
            return self.map()
        if self.takes("["):
            return self._list()
        if self.takes("-"):
            return _negative(self._simple(), token.position)
        if token.kind == "string":
            return _constant(self.take().text)
        if token.kind == "number":
            return _constant(_number(self.take().text))
        if token.kind == "name":
            return self._named()
        raise self.problem("expected a value")

    def _list(self) -> Expression:
        items: list[Expression] = []
        while not self.takes("]"):
            if items:
                self.expect(",")
            items.append(self.value())
        return lambda row: [item(row) for item in items]

    def _named(self) -> Expression:
        """A variable, true, false, null, or a function of one value."""
        token = self.take()
        if not token.quoted and token.text.upper() in _WORDS:
            return _constant(_WORDS[token.text.upper()])
        if not self.takes("("):
            return _variable(token)
        argument = self.value()
        self.expect(")")
        if token.text.lower() not in _FUNCTIONS:
            raise CypherProblem(f"the function {token.text} is not read", token.position)
        parts = _TIMES.get(token.text.lower())
        return _written_time(argument, parts, token) if parts else argument


def _constant(value: Any) -> Expression:
    return lambda _: value


def _variable(token: Token) -> Expression:
    def value(row: Mapping[str, Any]) -> Any:
        if token.text not in row:
            raise CypherProblem(f"the variable {token.text} has no value", token.position)
        return row[token.text]

    return value


def _written_time(argument: Expression, parts: Sequence[str], token: Token) -> Expression:
    """A date or a time as ISO 8601 writes it, also of a map: ``date({year: 1950, month: 2})``."""

    def value(row: Mapping[str, Any]) -> Any:
        given = argument(row)
        if not isinstance(given, Mapping):
            return given
        known = {"month": 1, "day": 1, "hour": 0, "minute": 0, "second": 0, **given}
        if set(known) - set(parts) - set(_TIMES["datetime"]) or not all(
            isinstance(known.get(part), int) for part in parts
        ):
            problem = f"the map of {token.text} is not read: expected {', '.join(parts)}"
            raise CypherProblem(problem, token.position)
        year, *others = (known[part] for part in parts)
        texts = [f"{year:04}", *(f"{other:02}" for other in others)]
        return "T".join(filter(None, ("-".join(texts[:3]), ":".join(texts[3:]))))

    return value


def _property(owner: Expression, key: str) -> Expression:
    def value(row: Mapping[str, Any]) -> Any:
        found = owner(row)
        values = found if isinstance(found, Mapping) else getattr(found, "properties", {})
        return values.get(key)

    return value


def _negative(number: Expression, position: int) -> Expression:
    def value(row: Mapping[str, Any]) -> Any:
        found = number(row)
        if not isinstance(found, int | float):
            raise CypherProblem("expected a number after -", position)
        return -found

    return value


def _number(text: str) -> int | float:
    if text.lower().startswith("0x"):
        return int(text, 16)
    return int(text) if text.isdigit() else float(text)
