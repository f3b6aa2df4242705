"""The numbers of a CSV file's lines, where DuckDB counts records: fields may hold line ends."""

from __future__ import annotations

import duckdb
import numpy as np
from numpy.typing import NDArray

from kgdb.errors import LoadError
from kgdb.loading.reading.files import BLOCK, File, MixedLineEnds, explained


def number_lines(connection: duckdb.DuckDBPyConnection, file: File) -> None:
    """Make ``reading_errors.line`` the number of the line that the bad record starts on.

    What it was, the number of the record, is in ``reading_errors.record`` then. Raises
    :class:`LoadError` when a quotation mark does not close: what follows it cannot be told apart.
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
    if _has_mixed_ends(file):
        raise MixedLineEnds
    numbers = file.skipped + _numbers(file, np.asarray(found["position"], dtype=np.int64))
    connection.execute("ALTER TABLE reading_errors ADD COLUMN record BIGINT")
    connection.execute("UPDATE reading_errors SET record = line")
    connection.register("reading_numbers", {"record": found["line"], "number": numbers})
    try:
        connection.execute(
            "UPDATE reading_errors SET line = number FROM reading_numbers AS numbers "
            "WHERE reading_errors.record = numbers.record"
        )
    finally:
        connection.unregister("reading_numbers")
    unclosed = connection.execute(
        "SELECT min(line) FROM reading_errors WHERE error_type = 'UNQUOTED VALUE' "
        "AND regexp_matches(trim(csv_line, chr(10) || chr(13)), '[\\n\\r]')"
    ).fetchall()[0][0]
    if unclosed is not None:
        raise LoadError(
            f"{file.name}, line {unclosed}: a quotation mark does not close where it should, so "
            "the records that follow cannot be told apart.",
            hint='Close the field with ", and write a " within a field as "". Where a " is only '
            "a character: kgdb load tsv … --set delimiter=, (in a loader file, format = "
            '"delimited").',
        )


def _numbers(file: File, positions: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of the line that each of the sorted byte positions is on."""
    numbers = np.empty(len(positions), dtype=np.int64)
    start, before, done, ended_by_return = 0, 1, 0, False
    with explained(file.name), file.open() as stream:
        while done < len(positions) and (block := stream.read(BLOCK)):
            characters = np.frombuffer(block, dtype=np.uint8)
            returns, feeds = characters == ord("\r"), characters == ord("\n")
            # Together they are one end of a line, at its first half.
            feeds[1:] &= ~returns[:-1]
            feeds[0] &= not ended_by_return
            ended_by_return = bool(returns[-1])
            ends = start + np.flatnonzero(returns | feeds)
            start += len(block)
            reached = int(np.searchsorted(positions, start, side="right"))
            numbers[done:reached] = before + np.searchsorted(ends, positions[done:reached])
            before += len(ends)
            done = reached
    return numbers


def _has_mixed_ends(file: File) -> bool:
    """Whether records, not the lines within quoted fields, end in several ways."""
    feeds = returns = pairs = marks = 0
    rest = b""
    with explained(file.name), file.open() as stream:
        while (feeds > pairs) + (returns > pairs) + (pairs > 0) < 2 and (
            block := stream.read(BLOCK)
        ):
            characters = np.frombuffer(block, dtype=np.uint8)
            before = marks + np.cumsum(characters == ord('"'))
            marks = int(before[-1])
            outside = rest + characters[before % 2 == 0].tobytes()
            # It may be the first half of a line end.
            rest = outside[-1:] if outside.endswith(b"\r") else b""
            outside = outside.removesuffix(rest)
            feeds += outside.count(b"\n")
            returns += outside.count(b"\r")
            pairs += outside.count(b"\r\n")
    returns += len(rest)
    return (feeds > pairs) + (returns > pairs) + (pairs > 0) > 1
