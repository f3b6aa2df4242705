"""Lazy values that are computed once, even if several threads need them first.

Other threads wait for the computation. If it fails, only its own thread gets the error, and the
next thread tries again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock, RLock
from typing import Any, Generic, Self, TypeVar, overload

_K = TypeVar("_K", bound=Hashable)
_V = TypeVar("_V")


class LazyValues(Generic[_K, _V]):
    """Lazy values by key. Values of different keys may be computed at the same time."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._locks: dict[_K, Lock] = {}
        self._values: dict[_K, _V] = {}

    def get(self, key: _K, make: Callable[[], _V]) -> _V:
        """The value of the key, computed by ``make`` on the first call."""
        with self._lock:
            if key in self._values:
                return self._values[key]
            lock = self._locks.setdefault(key, Lock())
        with lock:
            with self._lock:
                if key in self._values:
                    return self._values[key]
            value = make()
            with self._lock:
                self._values[key] = value
            return value


class lazy_property(Generic[_V]):  # noqa: N801 # written like property
    """Like :func:`functools.cached_property`, but only one thread per object computes the value.

    ``cached_property`` has one lock for all objects, and from Python 3.12 on it has none.
    """

    def __init__(self, method: Callable[[Any], _V]) -> None:
        self._method = method
        self._name = method.__name__
        self.__doc__ = method.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type) -> _V: ...

    def __get__(self, instance: object | None, owner: type) -> Self | _V:
        if instance is None:
            return self
        # After the first call Python finds the value in the instance and skips this method.
        values = vars(instance)
        # setdefault is atomic: all threads get the same lock.
        with values.setdefault(f"_lock_of_{self._name}", RLock()):
            if self._name not in values:
                values[self._name] = self._method(instance)
            value: _V = values[self._name]
            return value
