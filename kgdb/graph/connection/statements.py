"""The Cypher statements of ``cypher/``, by file name.

Values always travel as parameters. What Cypher accepts only in its text stands in a file as a
place, written ```%label%```, and is put in by :func:`statement` according to its kind:

    text             an identifier, such as the label of an index: quoted
    :class:`Labels`  the labels that a node may have: quoted, sorted
    whole number     such as the bound of a path's length
    :class:`Types`   the relationship types that a pattern may take: quoted, sorted
    :class:`Followed`    the same with a condition on the relationship
    :class:`Statement`   a part with its own places filled, as some statements are composed of parts
    :class:`NodeExpression`   an expression over the node that the place names: ```%name(e)%```

There is no other way to alter a statement.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from kgdb import shipped_files
from kgdb.errors import UsageError
from kgdb.text_arguments import text
from kgdb.wording import short

_PLACE = re.compile(r"`%(\w+)(?:\(([\w.\[\]-]+)\))?%`")
_RETURNED = re.compile(r"^RETURN ((?:\w+, )*\w+)\n\Z", re.MULTILINE)
_PROCEDURE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")


class Statement(str):
    """The text of a statement, or of a part of one, whose places are filled."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Types:
    """Relationship types as a pattern names them: those of ``names``, or all but ``besides``.

    ``names`` is ``None`` for all. Sorted, so that the same types are the same text and the server
    finds the plan it made; in the text, so that it reads no other relationship of a hub.
    """

    names: frozenset[str] | None = None
    besides: frozenset[str] = frozenset()

    def without(self, denied: Types) -> Types:
        """These types but for the ``names`` of the others."""
        assert denied.names is not None  # noqa: S101
        if self.names is None:
            return Types(None, self.besides | denied.names)
        return Types(self.names - denied.names)

    def __or__(self, other: Types) -> Types:
        """At least both: any type, where one of them is all but some."""
        if self.names is None or other.names is None:
            return Types()
        return Types(self.names | other.names)

    def pattern(self) -> str:
        """After the variable in ``[r]``; nothing at all where any type will do."""
        return "" if self == Types() else self.predicate()

    def predicate(self) -> str:
        """After the variable in ``WHERE r``."""
        if self.names is None:
            return f":!({_alternatives(self.besides)})" if self.besides else ":%"
        return f":{_alternatives(self.names)}" if self.names else ":!%"


@dataclass(frozen=True, slots=True)
class Followed:
    """The relationships that a pattern may take: of these types, and with a predicate on ``r``."""

    types: Types
    predicate: Statement

    def pattern(self) -> str:
        """After the variable ``r`` in ``[r]``."""
        where = f" WHERE {self.predicate}" if self.predicate else ""
        return self.types.pattern() + where


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of a graph's nodes, as a pattern or a predicate names them: any of ``names``."""

    names: tuple[str, ...]

    def expression(self) -> str:
        """After the colon in ``(n:…)`` and ``WHERE n:…``."""
        return _alternatives(self.names)


class NodeExpression(ABC):
    """An expression over a node, such as its name."""

    @abstractmethod
    def over(self, node: str) -> str:
        """The Cypher text, for an expression of kgdb's own that gives the node."""


@dataclass(frozen=True, slots=True)
class TypeTest:
    """The same types as a predicate on a relationship."""

    types: Types


_IDENTIFIER = "the name of a label, relationship type, property or index"
_NAME = "the name of one of kgdb's statements"

Place = str | int | Labels | Types | Followed | TypeTest | NodeExpression | Statement


def statement(name: str, /, **places: Place) -> Statement:
    """The text of ``cypher/<name>.cypher`` with its places filled."""

    def fill(match: re.Match[str]) -> str:
        place = places[match[1]]
        if isinstance(place, NodeExpression):
            return place.over(match[2])
        return _text(place)

    return Statement(_PLACE.sub(fill, _read(text("name", name, _NAME))))


def rows_of_call(procedure: str, arguments: Sequence[str], columns: Sequence[str]) -> Statement:
    """A call of one of kgdb's procedures, with parameters of its arguments' names."""
    values, names = ", ".join(f"${name}" for name in arguments), ", ".join(columns)
    return Statement(f"CALL {procedure}({values})\nYIELD {names}\nRETURN {names}\n")


@cache
def in_one_record(whole: Statement, /) -> tuple[tuple[str, ...], Statement]:
    """The columns of a statement that ends with their ``RETURN``, and the same as one record.

    The record's ``rows`` holds all rows as lists: a driver in Python takes longer over a record
    than the server over most rows.
    """
    returned = _RETURNED.search(whole)
    if not returned:
        raise UsageError(f"text is {short(whole)}; expected one that ends by RETURN and names.")
    columns = tuple(returned[1].split(", "))
    rows = f"RETURN collect([{returned[1]}]) AS rows\n"
    return columns, Statement(whole[: returned.start()] + rows)


def joined(separator: str, parts: Iterable[Statement]) -> Statement:
    """Parts one after the other; the separator is one of kgdb's own."""
    return Statement(separator.join(parts))


def quoted(identifier: str) -> str:
    """A label, type or index name as Cypher text: backticks inside it are doubled."""
    if "\x00" in text("identifier", identifier, _IDENTIFIER, empty=True) or not identifier:
        raise UsageError(f"{short(identifier)} cannot name a label, relationship type or index.")
    return "`" + identifier.replace("`", "``") + "`"


def call_text(procedure: str, arguments: int) -> Statement:
    """``CALL procedure($a0, $a1, …)`` for a procedure name that is one."""
    if not _PROCEDURE.fullmatch(text("procedure", procedure, "its name", empty=True)):
        raise UsageError(
            f"{short(procedure)} is not a procedure name.",
            hint="Write it as in Cypher, without CALL or brackets: gds.pageRank.stream",
        )
    arguments_text = ", ".join(f"$a{i}" for i in range(arguments))
    return Statement(f"CALL {procedure}({arguments_text})")


def quoted_text(value: str) -> str:
    """A text as a literal of Cypher, such as the label that stands before a number in a name."""
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _text(place: str | int | Labels | Types | Followed | TypeTest | Statement) -> str:
    match place:
        case Statement():
            return place
        case str():
            return quoted(place)
        case int():
            return str(place)
        case Labels():
            return place.expression()
        case Types() | Followed():
            return place.pattern()
        case TypeTest():
            return place.types.predicate()


def _alternatives(names: Iterable[str]) -> str:
    return "|".join(quoted(name) for name in sorted(names))


@cache
def _read(name: str) -> str:
    try:
        return shipped_files.statement(name)
    except (OSError, ValueError) as error:
        raise UsageError(f"name is {short(name)}; expected {_NAME}.") from error
