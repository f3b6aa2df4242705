"""Encoding in one thread, beside other work."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from kgdb.language import single_threaded

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
