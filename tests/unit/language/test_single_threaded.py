"""Encoding in one thread, beside other work."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from kgdb.language import single_threaded
from kgdb.language.encoders.single_threaded import threads

pytestmark = pytest.mark.unit


def test_torch_works_in_one_thread_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = [4]
    torch = SimpleNamespace(get_num_threads=lambda: threads[-1], set_num_threads=threads.append)
    monkeypatch.setitem(sys.modules, "torch", torch)
    with pytest.raises(ValueError, match="no vector"), single_threaded():
        raise ValueError("no vector")
    assert threads == [4, 1, 4]


def test_torch_is_not_loaded_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    with single_threaded():
        assert "torch" not in sys.modules


def test_torch_that_another_thread_is_importing_is_left_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace())
    with single_threaded():
        assert threads() == 1


@pytest.mark.parametrize(
    ("told", "processors", "expected"),
    [
        (None, 1, 1),
        (None, 2, 1),
        (None, 16, 8),
        ("3", 16, 3),
        ("3,1", 16, 3),
        ("0", 16, 8),
        ("many", 16, 8),
    ],
)
def test_models_have_half_the_processors_or_what_is_told(
    monkeypatch: pytest.MonkeyPatch, told: str | None, processors: int, expected: int
) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    if told:
        monkeypatch.setenv("OMP_NUM_THREADS", told)
    monkeypatch.setattr("os.cpu_count", lambda: processors)
    assert threads() == expected
    with single_threaded():
        assert threads() == 1
    assert threads() == expected
