"""Line numbers of bad CSV records: DuckDB counts records, and fields may contain line ends."""

from __future__ import annotations

import duckdb
import numpy as np
from numpy.typing import NDArray

from kgdb.errors import LoadError
from kgdb.loading.reading.files import BLOCK, File, MixedLineEnds


def number_lines(connection: duckdb.DuckDBPyConnection, file: File) -> None:
    """Set ``reading_errors.line`` to the first line of each bad record.

    The old value, the number of the record, moves to ``reading_errors.record``. Raises
    :class:`LoadError` for an unclosed quotation mark: later records cannot be separated.
    """
    # DuckDB counts the line ends of empty lines to the next record. In a file with \r\n it adds the
    # second byte of the line end before the record.
    half = "starts_with(csv_line, chr(10))::INT" if b"\r\n" in file.head else "0"
    errors = connection.execute(
        "SELECT line, min(line_byte_position + length(csv_line) "
        f"- length(ltrim(csv_line, chr(10) || chr(13))) - {half}) AS position "
        "FROM reading_errors GROUP BY line ORDER BY position"
    ).fetchnumpy()
    if not len(errors["line"]):
        return
    if _has_mixed_ends(file):
        raise MixedLineEnds
    numbers = file.skipped + _numbers(file, np.asarray(errors["position"], dtype=np.int64))
    connection.execute("ALTER TABLE reading_errors ADD COLUMN record BIGINT")
    connection.execute("UPDATE reading_errors SET record = line")
    connection.register("reading_numbers", {"record": errors["line"], "number": numbers})
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
            f"{file.name}, line {unclosed}: a quotation mark is not closed, so the records after "
            "it cannot be separated.",
            hint='Close the field with ", and write a " inside a field as "". If quotation marks '
            "are ordinary characters: kgdb load tsv … --set delimiter=, (in a loader file, "
            'format = "delimited").',
        )


def _numbers(file: File, positions: NDArray[np.int64]) -> NDArray[np.int64]:
    """The line number of each of the sorted byte positions."""
    numbers = np.empty(len(positions), dtype=np.int64)
    start, before, done, ended_by_return = 0, 1, 0, False
    with file.open() as stream:
        while done < len(positions) and (block := stream.read(BLOCK)):
            characters = np.frombuffer(block, dtype=np.uint8)
            returns, feeds = characters == ord("\r"), characters == ord("\n")
            # \r\n is one line end, at the position of its \r.
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
    """Whether the file has different line ends between records, not inside quoted fields."""
    feeds = returns = pairs = marks = 0
    rest = b""
    with file.open() as stream:
        while (feeds > pairs) + (returns > pairs) + (pairs > 0) < 2 and (
            block := stream.read(BLOCK)
        ):
            characters = np.frombuffer(block, dtype=np.uint8)
            before = marks + np.cumsum(characters == ord('"'))
            marks = int(before[-1])
            outside = rest + characters[before % 2 == 0].tobytes()
            # A final \r may be the first byte of \r\n.
            rest = outside[-1:] if outside.endswith(b"\r") else b""
            outside = outside.removesuffix(rest)
            feeds += outside.count(b"\n")
            returns += outside.count(b"\r")
            pairs += outside.count(b"\r\n")
    returns += len(rest)
    return (feeds > pairs) + (returns > pairs) + (pairs > 0) > 1
