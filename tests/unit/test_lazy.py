"""What is made once, whatever number of threads asks for it first."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import TypeVar

import numpy as np
import pytest
from fakes import MemoryDatabase, MemoryDriver, Record

from kgdb.connection import Connection
from kgdb.errors import ModelMissing
from kgdb.language import load_encoder, model_catalog, single_threaded
from kgdb.language.encoders import minilm
from kgdb.lazy import LazyValues, lazy_property
from kgdb.progress import silent
from kgdb.settings import Settings

pytestmark = [pytest.mark.unit, pytest.mark.slow]

THREADS = 8
_T = TypeVar("_T")


def at_once(call: Callable[[], _T]) -> list[_T | Exception]:
    """What the call gives, or raises, in each of several threads that begin together."""
    begin = Barrier(THREADS)

    def started(_: int) -> _T | Exception:
        begin.wait()
        try:
            return call()
        except Exception as error:
            return error

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(started, range(THREADS)))


class Slow:
    """Makes an object that takes long; the first ``failing`` times it fails."""

    def __init__(self, failing: int = 0) -> None:
        self.failing = failing
        self.made = 0

    def __call__(self) -> object:
        self.made += 1
        number = self.made
        time.sleep(0.02)
        if number <= self.failing:
            raise ValueError(f"failure {number}")
        return object()


def test_a_value_is_made_once_for_its_key() -> None:
    once, make = LazyValues[str, object](), Slow()
    assert len(set(at_once(lambda: once.get("a", make)))) == 1
    assert make.made == 1
    assert once.get("b", make) is not once.get("a", make)
    assert make.made == 2


def test_what_failed_is_made_by_the_next_who_asks() -> None:
    once, make = LazyValues[str, object](), Slow(failing=1)
    found = at_once(lambda: once.get("a", make))
    assert [str(each) for each in found if isinstance(each, Exception)] == ["failure 1"]
    assert make.made == 2
    assert len({each for each in found if not isinstance(each, Exception)}) == 1


class Lazy:
    def __init__(self, failing: int = 0) -> None:
        self.make = Slow(failing)

    @lazy_property
    def value(self) -> object:
        """What takes long."""
        return self.make()


def test_a_property_is_made_once_for_each_object() -> None:
    one, other = Lazy(), Lazy(failing=1)
    assert len(set(at_once(lambda: one.value))) == 1
    assert one.make.made == 1
    with pytest.raises(ValueError, match="failure 1"):
        _ = other.value
    assert other.value is other.value
    assert other.value is not one.value
    assert Lazy.value.__doc__ == "What takes long."


def test_the_server_is_asked_once_for_its_plugin() -> None:
    class Counting(MemoryDriver):
        asked = 0

        def execute_query(self, *given: object, **named: object) -> object:  # type: ignore[override]
            self.asked += 1
            time.sleep(0.02)
            return [Record({"version": "1"})], None, None

    driver = Counting([])
    database = MemoryDatabase(driver, plugin="auto")
    assert at_once(lambda: database.uses_plugin) == [True] * THREADS
    assert driver.asked == 1


class Unsafe:
    """An encoder whose tokenizer, as real ones may, serves one thread at a time."""

    loading = loaded = 0
    failing = 0
    busy = False

    def __init__(self, _folder: Path, _adapter: Path | None = None) -> None:
        cls = type(self)
        assert not cls.loading, "two models are loaded at once"
        cls.loading += 1
        time.sleep(0.02)
        cls.loading -= 1
        if cls.failing:
            cls.failing -= 1
            raise RuntimeError("Cannot copy out of meta tensor")
        cls.loaded += 1

    def __call__(self, texts: list[str]) -> np.ndarray:
        assert not self.busy, "Already borrowed"
        self.busy = True
        time.sleep(0.001)
        self.busy = False
        return np.ones((len(texts), 2), dtype=np.float32)


@pytest.fixture
def unsafe(monkeypatch: pytest.MonkeyPatch) -> type[Unsafe]:
    class Fresh(Unsafe):
        pass

    monkeypatch.setattr(minilm, "MiniLM", Fresh)
    return Fresh


def connection() -> Connection:
    """One that is connected to nothing."""
    made = Connection.__new__(Connection)
    made._settings = Settings(home=Path("nowhere"))
    made._encoders, made._llms, made.report = LazyValues(), LazyValues(), silent
    return made


@pytest.mark.parametrize("connections", [1, THREADS])
def test_a_model_is_loaded_once_for_all_threads_and_connections(
    unsafe: type[Unsafe], connections: int
) -> None:
    waiting = [connection() for _ in range(connections)]
    of_thread = waiting * (THREADS // connections)
    encoders = at_once(lambda: of_thread.pop().encoder())
    assert not [each for each in encoders if isinstance(each, Exception)]
    assert len(set(encoders)) == 1
    assert unsafe.loaded == 1


def test_a_load_that_failed_is_tried_again_also_by_another_connection(
    unsafe: type[Unsafe],
) -> None:
    unsafe.failing = 2
    first = connection()
    for each in (first, connection()):
        with pytest.raises(ModelMissing, match="meta tensor"):
            each.encoder()
    assert first.encoder() is connection().encoder()
    assert unsafe.loaded == 1


def test_a_model_that_nobody_has_any_more_is_given_up(unsafe: type[Unsafe]) -> None:
    settings = Settings(home=Path("nowhere"))
    load_encoder(settings)
    load_encoder(settings)
    assert unsafe.loaded == 2
    assert not [key for key in model_catalog._MODELS if "all-MiniLM-L6-v2" in str(key)]


def test_an_encoder_serves_threads_one_after_the_other(unsafe: type[Unsafe]) -> None:
    encoder = connection().encoder()
    number = iter(range(10_000))

    def encode() -> tuple[int, ...]:
        for _ in range(10):
            shape = encoder.encode([f"text {next(number)}", f"text {next(number)}"]).shape
        return shape

    assert at_once(encode) == [(2, 2)] * THREADS


def test_torch_has_its_threads_again_after_two_had_it_to_themselves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Torch:
        threads = 4

        def get_num_threads(self) -> int:
            return self.threads

        def set_num_threads(self, threads: int) -> None:
            self.threads = threads

    torch = Torch()
    monkeypatch.setitem(sys.modules, "torch", torch)
    one, other = single_threaded(), single_threaded()
    one.__enter__()
    other.__enter__()
    one.__exit__(None, None, None)
    assert torch.threads == 1
    other.__exit__(None, None, None)
    assert torch.threads == 4
