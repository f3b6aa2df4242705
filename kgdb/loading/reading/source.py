"""The description of one input table of a loader: its format and columns."""

from __future__ import annotations

from dataclasses import dataclass

from kgdb.errors import UsageError
from kgdb.wording import listed, short

FORMATS = {
    "delimited": "UTF-8 lines of fields, without quoting",
    "csv": "UTF-8 comma-separated values with a header line",
    "jsonl": "UTF-8 lines that are one JSON object each, or one JSON array of objects",
    "parquet": "a Parquet file",
    "ntriples": "UTF-8 N-Triples or N-Quads, one statement a line",
    "turtle": "UTF-8 Turtle",
    "trig": "UTF-8 TriG",
    "rdfxml": "RDF/XML",
    "jsonld": "UTF-8 JSON-LD",
    "apoc": "JSON of nodes and relationships, as APOC exports them",
    "graphml": "GraphML",
    "gexf": "GEXF",
    "obo": "UTF-8 OBO: an ontology with [Term]s",
    "node-link": "one JSON object with nodes and links (or edges)",
}
"""The formats, each with the expected content of its files."""


@dataclass(frozen=True, slots=True)
class Source:
    """One input table of a loader's SQL.

    ``columns`` lists all fields of ``delimited``; for ``csv``, ``jsonl`` and ``parquet`` it lists
    the required columns, and the file may have more. ``required_if_set`` lists columns that are
    required if the user sets the option that names them. ``delimiter`` and ``skip``, the number of
    lines to skip at the beginning of each file, apply to ``delimited`` and ``csv``. ``names``
    replaces the header line of ``csv``; without a header line, ``header`` is false. With
    ``relative_iris``, an object of ``ntriples`` in angle brackets that is not an absolute IRI
    (``<152>``) is valid: its ``kind`` is ``relative``.
    """

    table: str
    format: str
    columns: tuple[str, ...] = ()
    delimiter: str = "\t"
    relative_iris: bool = False
    required_if_set: tuple[str, ...] = ()
    skip: int = 0
    names: tuple[str, ...] = ()
    header: bool = True

    def check(self) -> None:
        """Raise :class:`UsageError` for an invalid description."""
        if self.format not in FORMATS:
            raise UsageError(
                f"The table {short(self.table)} has the format {short(self.format)}; "
                f"expected one of: {', '.join(FORMATS)}."
            )
        if self.format == "delimited" and not self.columns:
            raise UsageError(
                f"The table {short(self.table)} has the format 'delimited' and no columns.",
                hint="List the fields of a line in `columns`, in their order.",
            )
        for columns in (self.columns, self.names):
            if len({column.casefold() for column in columns}) < len(columns):
                raise UsageError(
                    f"The table {short(self.table)} names a column twice: {listed(columns)}.",
                    hint="Column names must differ in more than upper and lower case.",
                )

    @property
    def expected(self) -> str:
        """The expected content of the table's files, in words."""
        text = FORMATS[self.format]
        if self.format in {"delimited", "csv"}:
            name = {"\t": "a TAB", " ": "a space"}.get(self.delimiter, repr(self.delimiter))
            text += f", separated by {name}"
        if self.columns:
            text += f" ({listed(self.columns)})"
        return text
