"""What is made once, however many threads ask for it first.

Whoever asks while it is being made waits for it. Where making it fails, that error is the asker's
alone, and the next one tries again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock, RLock
from typing import Any, Generic, Self, TypeVar, overload

_K = TypeVar("_K", bound=Hashable)
_V = TypeVar("_V")


class LazyValues(Generic[_K, _V]):
    """Values by their keys. Those of different keys are made side by side."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._making: dict[_K, Lock] = {}
        self._made: dict[_K, _V] = {}

    def get(self, key: _K, make: Callable[[], _V]) -> _V:
        """The value of the key, made by ``make`` if there is none; what that raises is raised."""
        with self._lock:
            if key in self._made:
                return self._made[key]
            making = self._making.setdefault(key, Lock())
        with making:
            with self._lock:
                if key in self._made:
                    return self._made[key]
            value = make()
            with self._lock:
                self._made[key] = value
            return value


class lazy_property(Generic[_V]):  # noqa: N801 # written like property
    """As :func:`functools.cached_property`, but no two threads make it for one object.

    There the lock is one for all objects, and from Python 3.12 on there is none.
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
        # Once it is here, Python finds it before it looks for this method.
        known = vars(instance)
        # One operation: all threads get the lock of the one that came first.
        with known.setdefault(f"_lock_of_{self._name}", RLock()):
            if self._name not in known:
                known[self._name] = self._method(instance)
            value: _V = known[self._name]
            return value
