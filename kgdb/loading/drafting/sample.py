"""What the beginning of an unknown source looks like."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

_NUMBER = re.compile(r"[+-]?(\d+([.,]\d+)*|\.\d+)([eE][+-]?\d+)?")
_DATE = re.compile(r"-?\d{4,}-\d\d-\d\d([T ]\d\d:\d\d.*)?")
_BOOLEAN = re.compile(r"true|false|True|False|TRUE|FALSE")
_SPLIT = re.compile(r"\S\s*[;|]\s*\S")
_XSD = "http://www.w3.org/2001/XMLSchema#"
# From the narrowest to the widest, each as the regular expressions of Python and of DuckDB say it.
_NUMBERS = {
    "integer": r"[+-]?[0-9]+",
    "decimal": r"[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)",
    "double": r"[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?",
}
_OTHERS = {
    "date": r"-?[0-9]{4,}-[0-9]{2}-[0-9]{2}",
    "dateTime": r"-?[0-9]{4,}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?"
    r"(Z|[+-][0-9]{2}:[0-9]{2})?",
    "boolean": "true|false",
}
MOSTLY = 0.8
"""The share of a column's values that tells what the column is."""


@dataclass(frozen=True, slots=True)
class Datatype:
    """A datatype of XML Schema: its IRI, and the ``form`` of its values, a regular expression."""

    iri: str
    form: str


@dataclass(frozen=True, slots=True)
class Column:
    """A column: some of its values as texts, empty ones left out; a list gives all its items.

    ``kind`` is ``"text"``, ``"list"``, ``"array"`` (a text of several, with ; between) or
    ``"nested"`` (an object, which no cell of a graph is).
    ``role`` is what Neo4j's importer takes it for, and ``title`` its name without that.
    """

    name: str
    values: tuple[str, ...]
    kind: str = "text"
    role: str = ""
    title: str = ""

    @property
    def word(self) -> str:
        """What it is, in a word in lower case: its role, or its name."""
        return self.role or (self.title or self.name).strip(" :~").casefold()

    @property
    def is_numeric(self) -> bool:
        """Whether nearly all of its values are numbers."""
        return share(self.values, _NUMBER) >= MOSTLY

    @property
    def is_date(self) -> bool:
        """Whether nearly all of its values are dates."""
        return share(self.values, _DATE) >= MOSTLY

    @property
    def is_boolean(self) -> bool:
        """Whether nearly all of its values are true or false, as XML, pandas or R write them."""
        return share(self.values, _BOOLEAN) >= MOSTLY

    @property
    def datatype(self) -> Datatype | None:
        """That of nearly all of its values; none for entities, long texts, 1.234,5 and True."""
        numbers = [each for each in self.values if re.fullmatch(_NUMBERS["double"], each)]
        if numbers and len(numbers) >= MOSTLY * len(self.values):
            kind, form = next(
                (kind, form)
                for kind, form in _NUMBERS.items()
                if all(re.fullmatch(form, number) for number in numbers)
            )
            return Datatype(_XSD + kind, form)
        for kind, form in _OTHERS.items():
            if self.values and share(self.values, re.compile(form)) >= MOSTLY:
                return Datatype(_XSD + kind, form)
        return None

    @property
    def split(self) -> float:
        """The share of its values that seem to be several, with ; or | between."""
        return sum(bool(_SPLIT.search(value)) for value in self.values) / max(1, len(self.values))

    @property
    def variety(self) -> float:
        """Different values for each value."""
        return len(set(self.values)) / max(1, len(self.values))


@dataclass(frozen=True, slots=True)
class Sample:
    """What the beginning of a source looks like.

    ``format`` is one that a loader file can name, or ``table``: lines of fields between
    ``delimiter``, ``skip`` other lines before them. ``header`` is the first row where it names the
    columns, as it stands there: columns without a name, or with that of another, got one.
    ``above``: in the last of the lines that are skipped. ``sure`` tells whether there is a header
    or none beyond doubt, ``quoted`` whether fields stand in quotation marks, and ``marks`` whether
    these are characters as others are. Of RDF, ``predicates`` counts what is stated, and
    ``languages`` the languages.
    """

    format: str
    rows: int
    delimiter: str = "\t"
    skip: int = 0
    header: tuple[str, ...] = ()
    above: bool = False
    sure: bool = True
    quoted: bool = False
    marks: bool = False
    columns: tuple[Column, ...] = ()
    predicates: Mapping[str, int] = field(default_factory=dict)
    languages: Mapping[str, int] = field(default_factory=dict)

    @property
    def named(self) -> bool:
        """Whether the header, as it stands there, names the columns."""
        return self.header == tuple(column.name for column in self.columns)

    @property
    def numbering(self) -> str | None:
        """The first column, if it numbers the rows and has no name for it in the header."""
        if not self.header or self.header[0].strip() or not counts(self.columns[0].values):
            return None
        return self.columns[0].name


def counts(values: Sequence[str]) -> bool:
    """Whether the values are 0, 1, 2 and so on, or begin with 1."""
    return bool(values) and any(
        all(value == str(number) for number, value in enumerate(values, start)) for start in (0, 1)
    )


def share(values: Sequence[str], pattern: re.Pattern[str]) -> float:
    """How many of the values are of that form."""
    return sum(bool(pattern.fullmatch(value)) for value in values) / max(1, len(values))


def is_number(text: str) -> bool:
    """Whether it is a number or a date, as people write them."""
    return bool(_NUMBER.fullmatch(text) or _DATE.fullmatch(text))


def numeric_share(values: Sequence[str]) -> float:
    """How many of the values are numbers, or how many are dates."""
    return max(share(values, _NUMBER), share(values, _DATE))
