"""Loads stop before the disk is full: how much has to be free, and what is waited for."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from kgdb.disk import LOG_FILE, START_RESERVE, Disk
from kgdb.errors import LoadError
from kgdb.graph import Database
from kgdb.loading.writing import disk_guard
from kgdb.loading.writing.disk_guard import (
    LOAD_RESERVE,
    UNLOAD_RESERVE,
    loading_guard,
    unloading_guard,
)

pytestmark = pytest.mark.unit


class Clock:
    """Time that passes by sleeping; each sleep lets something happen."""

    def __init__(self) -> None:
        self.now = 0.0
        self.then: list[Any] = []

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        if self.then:
            self.then.pop(0)()


class Room:
    """A disk whose free bytes, and the log on it, a test sets."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (folder / "log").mkdir()
        self.file = folder / "log" / "neostore.transaction.db.0"
        self.log(0)
        self.free = 0
        self.clock = Clock()
        monkeypatch.setattr(Disk, "free", lambda _: self.free)
        monkeypatch.setattr(disk_guard, "time", self.clock)
        self.disk = Disk(folder, folder / "log")
        self.database = cast(Database, SimpleNamespace(disk=self.disk))

    def log(self, size: int) -> None:
        with self.file.open("wb") as file:
            file.truncate(size)


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    return Room(tmp_path, monkeypatch)


def test_without_a_known_disk_nothing_is_looked_at(room: Room) -> None:
    room.free = 0
    with pytest.raises(LoadError):
        loading_guard(room.database, "g").require(0)
    elsewhere = loading_guard(cast(Database, SimpleNamespace(disk=None)), "g")
    elsewhere.require_for_rows([{"id": "x"}])
    elsewhere.require(1 << 60)


def test_what_is_written_and_what_is_pending_has_to_fit_beside_what_stays_free(room: Room) -> None:
    guard = loading_guard(room.database, "g")
    room.log(10_000_000)
    room.free = LOAD_RESERVE + 10_000_000 + 1_000
    guard.require(1_000)
    with pytest.raises(LoadError) as raised:
        guard.require(1_001)
    assert f"{room.free:,} bytes free; {room.free + 1:,} are needed" in raised.value.message
    assert "Free 1 bytes there" in (raised.value.hint or "")
    assert "run the same command again to resume" in (raised.value.hint or "")


def test_longer_texts_need_more_room(room: Room) -> None:
    guard = loading_guard(room.database, "g")
    room.free = LOAD_RESERVE + 5_000
    guard.require_for_rows([{"id": "x", "aliases": ["y"]}])
    with pytest.raises(LoadError):
        guard.require_for_rows([{"id": "x", "aliases": ["y" * 5_000]}])


def test_a_checkpoint_is_waited_for_where_there_is_a_log_to_let_go(room: Room) -> None:
    guard = loading_guard(room.database, "g")
    room.log(3 * LOG_FILE)
    room.free = LOAD_RESERVE + 2 * LOG_FILE
    room.clock.then = [lambda: None, lambda: room.log(LOG_FILE)]
    guard.require(0)
    assert room.clock.now > 0
    room.log(3 * LOG_FILE)
    with pytest.raises(LoadError):
        guard.require(0)
    assert room.clock.now < 60


def test_an_unload_goes_on_where_a_load_stops_and_both_leave_room_for_a_start(room: Room) -> None:
    assert START_RESERVE < UNLOAD_RESERVE < LOAD_RESERVE
    room.free = UNLOAD_RESERVE
    unloading_guard(room.database, "g").require(0)
    with pytest.raises(LoadError, match="Loading 'g' stopped, because a full disk"):
        loading_guard(room.database, "g").require(0)
    room.free -= 1
    with pytest.raises(LoadError, match="Removing 'g' stopped, because a full disk"):
        unloading_guard(room.database, "g").require(0)
