"""A database that stopped itself: how it is recognised, and what is said of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgdb.disk import START_RESERVE, Disk, require_start_space
from kgdb.errors import DatabaseHalted, ServerError
from kgdb.halted_database import (
    CLOSED,
    halt_error,
    is_refused_for_space,
    may_be_halted,
    no_space_error,
)

pytestmark = pytest.mark.unit

URI = "bolt://127.0.0.1:7687"


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    (tmp_path / "log").mkdir()
    return Disk(tmp_path, tmp_path / "log")


@pytest.mark.parametrize(
    ("code", "message", "suspicious"),
    [
        (
            "Neo.DatabaseError.Transaction.TransactionStartFailed",
            "The database has encountered a critical error, and needs to be restarted.",
            True,
        ),
        ("Neo.DatabaseError.General.UnknownError", "x", True),
        (
            "Neo.ClientError.Procedure.ProcedureCallFailed",
            "Caused by: java.io.IOException: No space left on device",
            True,
        ),
        (
            "Neo.ClientError.General.WriteOnReadOnlyAccessDatabase",
            "No write operations are allowed on this database. The database is in read-only mode "
            "on this Neo4j instance.",
            True,
        ),
        ("Neo.ClientError.Statement.SyntaxError", "x", False),
        ("Neo.TransientError.Transaction.DeadlockDetected", "x", False),
        (None, None, False),
    ],
)
def test_only_errors_that_may_come_of_it_are_looked_into(
    code: str | None, message: str | None, suspicious: bool
) -> None:
    assert may_be_halted(code, message) is suspicious


@pytest.mark.parametrize("reason", ["No space left on device", "Database is in read only mode"])
def test_a_full_disk_is_told_with_what_is_free_and_what_is_needed(
    disk: Disk, monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    monkeypatch.setattr(Disk, "free", lambda _: 12_345_678)
    error = halt_error(reason, URI, disk)
    assert isinstance(error, DatabaseHalted)
    assert URI in error.message
    assert "its disk was full" in error.message
    assert "12,345,678 bytes are free" in error.message
    assert f"Free {START_RESERVE - 12_345_678:,} bytes there, then run: kgdb up" in str(error)


def test_a_write_that_found_no_room_is_told_with_what_is_free(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Disk, "free", lambda _: 4_096)
    said = "Could not preallocate disk space for the transaction: Transaction #0 {started …"
    assert is_refused_for_space(said)
    assert may_be_halted("Neo.ClientError.General.Unknown", said)
    text = str(no_space_error(URI, disk))
    assert "4,096 bytes are free" in text
    assert f"Free at least {START_RESERVE - 4_096:,} bytes" in text
    assert "bytes" not in str(no_space_error(URI, None))


def test_a_database_that_closed_itself_to_writing_is_not_said_to_have_stopped(disk: Disk) -> None:
    text = str(halt_error(CLOSED, URI, disk))
    assert "refuses writes: its disk was full" in text
    assert "Restart it with: kgdb up." in text


def test_with_room_again_the_command_that_mends_it_is_told(disk: Disk) -> None:
    assert "Restart it with: kgdb up." in str(halt_error("No space left on device", URI, disk))


def test_a_heap_that_was_exhausted_is_told_with_its_setting(disk: Disk) -> None:
    text = str(halt_error("java.lang.OutOfMemoryError: Java heap space", URI, disk))
    assert "its heap was exhausted" in text
    assert "KGDB_HEAP" in text


def test_a_server_of_somebody_elses_is_mended_by_hand() -> None:
    text = str(halt_error("No space left on device", "bolt://far:7687", None))
    assert "kgdb up" not in text
    assert "restart it" in text
    assert "internal.dbms.tx_log.fail_on_corrupted_log_files=false for one start" in text


def test_a_start_needs_room_for_what_the_log_repeats(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    (disk.log / "neostore.transaction.db.7").write_bytes(bytes(1_000))
    monkeypatch.setattr(Disk, "free", lambda _: START_RESERVE + 999)
    with pytest.raises(ServerError, match="Free 1 bytes there"):
        require_start_space(disk)
    monkeypatch.setattr(Disk, "free", lambda _: START_RESERVE + 1_000)
    require_start_space(disk)
