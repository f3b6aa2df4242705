"""The numbers of a CSV file's lines, where DuckDB counts records: fields may hold line ends."""

from __future__ import annotations

import duckdb
import numpy as np
from numpy.typing import NDArray

from kgdb.errors import LoadError
from kgdb.loading.reading.files import BLOCK, File, explained


def number_lines(connection: duckdb.DuckDBPyConnection, file: File) -> None:
    """Make ``reading_errors.line`` the number of the line that the bad record starts on.

    Raises :class:`LoadError` when a quotation mark does not close: what follows it cannot be told
    apart.
    """
    # DuckDB gives the line ends of empty lines to the record that follows, and in a file of \r\n
    # the half of one that is before its position.
    half = "starts_with(csv_line, chr(10))::INT" if b"\r\n" in file.head else "0"
    found = connection.execute(
        "SELECT line, min(line_byte_position + length(csv_line) "
        f"- length(ltrim(csv_line, chr(10) || chr(13))) - {half}) AS position "
        "FROM reading_errors GROUP BY line ORDER BY position"
    ).fetchnumpy()
    if not len(found["line"]):
        return
    numbers = _numbers(file, np.asarray(found["position"], dtype=np.int64))
    connection.register("reading_numbers", {"record": found["line"], "number": numbers})
    try:
        connection.execute(
            "UPDATE reading_errors SET line = number FROM reading_numbers WHERE line = record"
        )
    finally:
        connection.unregister("reading_numbers")
    unclosed = connection.execute(
        "SELECT min(line) FROM reading_errors WHERE error_type = 'UNQUOTED VALUE' "
        "AND contains(trim(csv_line, chr(10) || chr(13)), chr(10))"
    ).fetchall()[0][0]
    if unclosed is not None:
        raise LoadError(
            f"{file.name}, line {unclosed}: a quotation mark does not close where it should, so "
            "the records that follow cannot be told apart.",
            hint='Close the field with ", and write a " within a field as "". Where a " is only '
            'a character, use format = "delimited".',
        )


def _numbers(file: File, positions: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of the line that each of the sorted byte positions is on."""
    end = ord("\n") if b"\n" in file.head or b"\r" not in file.head else ord("\r")
    numbers = np.empty(len(positions), dtype=np.int64)
    start, before, done = 0, 1, 0
    with explained(file.name), file.open() as stream:
        while done < len(positions) and (block := stream.read(BLOCK)):
            ends = start + np.flatnonzero(np.frombuffer(block, dtype=np.uint8) == end)
            start += len(block)
            reached = int(np.searchsorted(positions, start, side="right"))
            numbers[done:reached] = before + np.searchsorted(ends, positions[done:reached])
            before += len(ends)
            done = reached
    return numbers
