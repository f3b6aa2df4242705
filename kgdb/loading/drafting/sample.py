"""The sample of an unknown source: its format, its columns and their values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

_NUMBER = re.compile(r"[+-]?(\d+([.,]\d+)*|\.\d+)([eE][+-]?\d+)?")
_DATE = re.compile(r"-?\d{4,}-\d\d-\d\d([T ]\d\d:\d\d.*)?")
_BOOLEAN = re.compile(r"true|false|True|False|TRUE|FALSE")
_SPLIT = re.compile(r"\S\s*[;|]\s*\S")
_XSD = "http://www.w3.org/2001/XMLSchema#"
# From the narrowest to the widest type; the expressions are valid in Python and in DuckDB.
_NUMBERS = {
    "integer": r"[+-]?[0-9]+",
    "decimal": r"[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)",
    "double": r"[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?",
}
_OTHERS = {
    "date": r"-?[0-9]{4,}-[0-9]{2}-[0-9]{2}",
    # Databases write a blank in the place of the T.
    "dateTime": r"-?[0-9]{4,}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?"
    r"(Z|[+-][0-9]{2}:[0-9]{2})?",
    "boolean": "true|false|True|False|TRUE|FALSE",  # as pandas and R write them
}
_COMMA = r"[+-]?([0-9]+|[0-9]{1,3}([.][0-9]{3})+)(,[0-9]+)?"
_CENTS = re.compile(r".*,([0-9]{1,2}|[0-9]{4,})")
"""A number whose comma cannot stand before thousands."""
_ITEM = 30  # characters of an item of a list; names and sentences with commas are longer
MOSTLY = 0.8
"""The share of a column's values that decides the type of the column."""


@dataclass(frozen=True, slots=True)
class Datatype:
    """An XML Schema datatype: its IRI, and a regular expression, ``form``, for its values.

    ``comma``: the values have a comma before their decimals.
    """

    iri: str
    form: str
    comma: bool = False


@dataclass(frozen=True, slots=True)
class Column:
    """A column with a sample of its values as texts, without empty ones; lists are flattened.

    ``kind`` is ``"text"``, ``"list"``, ``"array"`` (a text of several values with ; between) or
    ``"nested"`` (an object, which cannot become a value). ``role`` is the role in a header for
    Neo4j's importer, and ``title`` the name without it. ``commas``: a comma does not separate
    fields, so that it may stand before decimals.
    """

    name: str
    values: tuple[str, ...]
    kind: str = "text"
    role: str = ""
    title: str = ""
    commas: bool = False

    @property
    def word(self) -> str:
        """Its role, or its name, in lower case; ``subject.id`` is ``subject_id``."""
        return self.role or (self.title or self.name).strip(" :~").casefold().replace(".", "_")

    @property
    def is_numeric(self) -> bool:
        """Whether most of its values are numbers."""
        return share(self.values, _NUMBER) >= MOSTLY

    @property
    def is_date(self) -> bool:
        """Whether most of its values are dates."""
        return share(self.values, _DATE) >= MOSTLY

    @property
    def is_boolean(self) -> bool:
        """Whether most of its values are true or false, as written by XML, pandas or R."""
        return share(self.values, _BOOLEAN) >= MOSTLY

    @property
    def datatype(self) -> Datatype | None:
        """The datatype of most of its values; none for entities and long texts."""
        numbers = [each for each in self.values if re.fullmatch(_NUMBERS["double"], each)]
        if numbers and len(numbers) >= MOSTLY * len(self.values):
            kind, form = next(
                (kind, form)
                for kind, form in _NUMBERS.items()
                if all(re.fullmatch(form, number) for number in numbers)
            )
            return Datatype(_XSD + kind, form)
        if self.has_decimal_commas:
            return Datatype(_XSD + "decimal", _COMMA, comma=True)
        for kind, form in _OTHERS.items():
            if self.values and share(self.values, re.compile(form)) >= MOSTLY:
                return Datatype(_XSD + kind, form)
        return None

    @property
    def has_decimal_commas(self) -> bool:
        """Whether all its values are numbers with a comma before the decimals: 1.234,50."""
        return (
            self.commas
            and any(map(_CENTS.fullmatch, self.values))
            and all(re.fullmatch(_COMMA, value) for value in self.values)
        )

    @property
    def split(self) -> float:
        """The share of its values that look like several values, with ; or | between."""
        return sum(bool(_SPLIT.search(value)) for value in self.values) / max(1, len(self.values))

    @property
    def has_comma_lists(self) -> bool:
        """Whether cells are lists with commas between: short parts that come again elsewhere."""
        different = dict.fromkeys(self.values)
        cells = [[part.strip() for part in value.split(",")] for value in different]
        lists = [parts for parts in cells if len(parts) > 1]
        if not lists or self.is_numeric or self.is_date:
            return False
        if any(not part or len(part) > _ITEM for parts in lists for part in parts):
            return False
        # "Weir, Ada" is a name: all have two parts, with a blank behind the comma.
        if len({len(parts) for parts in cells}) == 1 and any(", " in value for value in different):
            return False
        seen = Counter(part for parts in cells for part in dict.fromkeys(parts))
        return any(seen[part] > 1 for parts in lists for part in parts)

    @property
    def variety(self) -> float:
        """The number of different values divided by the number of values."""
        return len(set(self.values)) / max(1, len(self.values))


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample of the beginning of a source.

    ``format`` is a format of loader files, or ``table``: lines of fields with ``delimiter`` between
    them, after ``skip`` other lines. ``header`` is the header line as written; columns with a
    missing or repeated name got another one. ``above``: the header is the last skipped line;
    ``header_file``: it is the line of this file.
    ``sure``: there is no doubt whether a header exists. ``quoted``: quotation marks enclose fields;
    ``marks``: quotation marks are ordinary characters. For RDF, ``predicates`` and ``languages``
    count the predicates and the languages.
    """

    format: str
    rows: int
    delimiter: str = "\t"
    skip: int = 0
    header: tuple[str, ...] = ()
    above: bool = False
    header_file: str = ""
    sure: bool = True
    quoted: bool = False
    marks: bool = False
    columns: tuple[Column, ...] = ()
    predicates: Mapping[str, int] = field(default_factory=dict)
    languages: Mapping[str, int] = field(default_factory=dict)

    @property
    def named(self) -> bool:
        """Whether the header as written has the names of the columns."""
        return self.header == tuple(column.name for column in self.columns)

    @property
    def numbering(self) -> str | None:
        """The name of the first column, if it numbers the rows and has no name in the header."""
        if not self.header or self.header[0].strip() or not counts(self.columns[0].values):
            return None
        return self.columns[0].name


def counts(values: Sequence[str]) -> bool:
    """Whether the values count up from 0 or 1."""
    return bool(values) and any(
        all(value == str(number) for number, value in enumerate(values, start)) for start in (0, 1)
    )


def share(values: Sequence[str], pattern: re.Pattern[str]) -> float:
    """The share of the values that match the pattern."""
    return sum(bool(pattern.fullmatch(value)) for value in values) / max(1, len(values))


def is_number(text: str) -> bool:
    """Whether the text is a number or a date in a usual notation."""
    return bool(_NUMBER.fullmatch(text) or _DATE.fullmatch(text))


def numeric_share(values: Sequence[str]) -> float:
    """The share of numbers, or the share of dates if that is larger."""
    return max(share(values, _NUMBER), share(values, _DATE))
