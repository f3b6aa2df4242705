"""What one table of a loader is read from."""

from __future__ import annotations

from dataclasses import dataclass

from kgdb.errors import UsageError
from kgdb.wording import listed, short

FORMATS = {
    "delimited": "UTF-8 lines of fields, without quoting",
    "csv": "UTF-8 comma-separated values with a header line",
    "jsonl": "UTF-8 lines that are one JSON object each",
    "parquet": "a Parquet file",
    "ntriples": "UTF-8 N-Triples or N-Quads, one statement a line",
    "turtle": "UTF-8 Turtle",
}
"""The formats that can be read, each with what its files must hold."""


@dataclass(frozen=True, slots=True)
class Source:
    """One table that a loader's SQL reads.

    ``columns`` of ``delimited`` are its fields, and required; those of ``csv``, ``jsonl`` and
    ``parquet`` must be there, beside whatever else the file has. ``delimiter`` is for
    ``delimited`` and ``csv``, and so is ``skip``, the lines at the beginning of each file that are
    passed over. ``names`` are those of all columns of ``csv``, whatever its header line says; with
    them there may be none (``header``). ``if_named`` are columns that must be there if an option
    that names them is given. With ``relative``, an object of ``ntriples`` in angle brackets that
    is no absolute IRI (``<152>``) is not malformed: its ``kind`` is ``relative``.
    """

    table: str
    format: str
    columns: tuple[str, ...] = ()
    delimiter: str = "\t"
    relative: bool = False
    if_named: tuple[str, ...] = ()
    skip: int = 0
    names: tuple[str, ...] = ()
    header: bool = True

    def check(self) -> None:
        """Raise :class:`UsageError` for a description that no file could be read with."""
        if self.format not in FORMATS:
            raise UsageError(
                f"The table {short(self.table)} has the format {short(self.format)}; "
                f"expected one of: {', '.join(FORMATS)}."
            )
        if self.format == "delimited" and not self.columns:
            raise UsageError(
                f"The table {short(self.table)} has the format 'delimited' and no columns.",
                hint="Name the fields of a line, in their order, in `columns`.",
            )
        for columns in (self.columns, self.names):
            if len({column.casefold() for column in columns}) < len(columns):
                raise UsageError(
                    f"The table {short(self.table)} names a column twice: {listed(columns)}.",
                    hint="Columns must differ in more than upper and lower case.",
                )

    @property
    def expected(self) -> str:
        """What the files of the table must hold, in words."""
        text = FORMATS[self.format]
        if self.format in {"delimited", "csv"}:
            name = {"\t": "a TAB", " ": "a space"}.get(self.delimiter, repr(self.delimiter))
            text += f", separated by {name}"
        if self.columns:
            text += f" ({listed(self.columns)})"
        return text
