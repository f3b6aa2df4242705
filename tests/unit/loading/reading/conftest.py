"""A connection and a folder, to read a file of given bytes with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest

from kgdb.loading.reading import Source, read

Row = tuple[Any, ...]


class Desk:
    """Writes files, reads them, and shows what became of them."""

    def __init__(self, folder: Path, connection: duckdb.DuckDBPyConnection) -> None:
        self.folder = folder
        self.connection = connection
        self.work = folder / "work"
        self.work.mkdir()

    def file(self, content: bytes, name: str = "source") -> Path:
        path = self.folder / name
        path.write_bytes(content)
        return path

    def read(self, source: Source, *paths: Path) -> list[Row]:
        """The rows of the table, in its order."""
        self.connection.execute(f'DROP TABLE IF EXISTS "{source.table}"')
        self.connection.execute("DROP TABLE IF EXISTS rejected")
        try:
            read(self.connection, source, paths, self.work)
        finally:
            assert not list(self.work.iterdir()), "temporary files are left"
        return self.rows(f'SELECT * FROM "{source.table}"')

    def rows(self, query: str) -> list[Row]:
        return self.connection.execute(query).fetchall()

    def rejected(self) -> list[Row]:
        """Line and problem of every rejected line."""
        return self.rows("SELECT line, problem FROM rejected ORDER BY file, line")

    def columns(self, table: str) -> Sequence[str]:
        return [row[0] for row in self.rows(f'DESCRIBE "{table}"')]


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute("SET threads = 2")
        yield connection


@pytest.fixture
def desk(tmp_path: Path, connection: duckdb.DuckDBPyConnection) -> Desk:
    connection.execute("SET preserve_insertion_order = true")
    return Desk(tmp_path, connection)
