"""Models are loaded without Python's collector, which is as it was afterwards."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from kgdb.language.model_catalog import gc_paused

pytestmark = pytest.mark.unit


@pytest.fixture(autouse=True)
def collecting() -> Iterator[None]:
    yield
    gc.enable()


def test_the_collector_rests_within_and_goes_on_after() -> None:
    with gc_paused():
        assert not gc.isenabled()
        with gc_paused():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_an_error_does_not_leave_it_off() -> None:
    with pytest.raises(ValueError, match="no model"), gc_paused():
        raise ValueError("no model")
    assert gc.isenabled()


def test_who_has_turned_it_off_keeps_it_off() -> None:
    gc.disable()
    with gc_paused():
        pass
    assert not gc.isenabled()
