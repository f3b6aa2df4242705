"""Memory sizes: measured, limited by containers, or as the settings say."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from kgdb.errors import UsageError
from kgdb.runtime.machine import server_memory
from kgdb.runtime.machine.server_memory import GIB, MIB, Memory

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("machine", "heap", "page_cache"),
    [
        (1 * GIB, 512 * MIB, 256 * MIB),
        (8 * GIB, 2 * GIB, 2 * GIB),
        (256 * GIB, 4 * GIB, 4 * GIB),
    ],
)
def test_defaults_fit_the_machine(machine: int, heap: int, page_cache: int) -> None:
    assert server_memory.choose(None, None, machine) == Memory(heap, page_cache)


def test_settings_win() -> None:
    assert server_memory.choose("6g", "64m", 8 * GIB) == Memory(6 * GIB, 64 * MIB)
    assert server_memory.choose("1G", None, 8 * GIB) == Memory(GIB, 2 * GIB)


@pytest.mark.parametrize("text", ["2", "1.5g", "2gb", "-1g", "g", "lots", "2 g"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="heap is") as failure:
        server_memory.choose(text, None, 8 * GIB)
    assert repr(text) in failure.value.message


def test_too_small_and_too_large_are_refused() -> None:
    with pytest.raises(UsageError, match="at least 256m"):
        server_memory.choose("100m", None, 8 * GIB)
    with pytest.raises(UsageError, match=r"6g .* 4g .* 8g"):
        server_memory.choose("6g", "4g", 8 * GIB)


@pytest.mark.parametrize("size", [512 * MIB, 3 * GIB, 1536 * MIB, 1000 * 1024])
def test_sizes_are_read_as_they_are_written(size: int) -> None:
    assert server_memory.parse_size(server_memory.format_size(size), "heap") == size


def test_the_lowest_limit_of_nested_control_groups_is_found(tmp_path: Path) -> None:
    (tmp_path / "pod" / "box").mkdir(parents=True)
    (tmp_path / "pod" / "memory.max").write_text("2147483648\n")
    (tmp_path / "pod" / "box" / "memory.max").write_text("max\n")
    membership = tmp_path / "cgroup"
    membership.write_text("0::/pod/box\n")
    assert server_memory._limits(membership, tmp_path) == [(2 * GIB, 0)]
    (tmp_path / "pod" / "memory.current").write_text(f"{GIB}\n")
    (tmp_path / "pod" / "memory.stat").write_text("anon 5\ninactive_file 1000\n")
    assert server_memory._limits(membership, tmp_path) == [(2 * GIB, GIB - 1000)]


def test_a_version_1_limit_is_found(tmp_path: Path) -> None:
    (tmp_path / "memory" / "box").mkdir(parents=True)
    (tmp_path / "memory" / "box" / "memory.limit_in_bytes").write_text("1073741824\n")
    membership = tmp_path / "cgroup"
    membership.write_text("5:cpu:/elsewhere\n4:cpuacct,memory:/box\n")
    (tmp_path / "memory" / "box" / "memory.usage_in_bytes").write_text("5000\n")
    (tmp_path / "memory" / "box" / "memory.stat").write_text("total_inactive_file 1000\n")
    assert server_memory._limits(membership, tmp_path) == [(GIB, 4000)]


def test_no_control_groups_no_limit(tmp_path: Path) -> None:
    assert server_memory._limits(tmp_path / "absent", tmp_path) == []


def test_a_container_has_what_its_limit_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = SimpleNamespace(total=64 * GIB, available=32 * GIB)
    monkeypatch.setattr(server_memory.psutil, "virtual_memory", lambda: machine)
    monkeypatch.setattr(server_memory, "_limits", lambda: [server_memory._Limit(8 * GIB, 5 * GIB)])
    assert (server_memory.machine_memory(), server_memory.available_memory()) == (8 * GIB, 3 * GIB)
    monkeypatch.setattr(server_memory, "_limits", lambda: [])
    assert (server_memory.machine_memory(), server_memory.available_memory()) == (
        64 * GIB,
        32 * GIB,
    )
