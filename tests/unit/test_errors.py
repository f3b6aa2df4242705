"""The errors: one tree, as documented, each with a message and what to do next."""

from __future__ import annotations

import inspect
import pickle
import re

import pytest

from kgdb import errors

pytestmark = pytest.mark.unit


def test_the_text_is_the_message_and_then_the_hint() -> None:
    error = errors.UsageError("It is wrong.", hint="Do this.")
    assert (error.message, error.hint) == ("It is wrong.", "Do this.")
    assert str(error) == "It is wrong.\nDo this."
    assert str(errors.KgdbError("It is wrong.")) == "It is wrong."


def test_every_error_is_in_the_documented_tree_at_its_place() -> None:
    tree: list[tuple[str, str]] = []
    parents: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        found = re.match(r"^ {4}([│├└─ ]*)([A-Z]\w+)", line)
        if found:
            depth = len(found[1]) // 4
            parents[depth:] = [found[2]]
            tree.append((found[2], parents[depth - 1] if depth else "Exception"))
    classes = inspect.getmembers(errors, inspect.isclass)
    assert sorted(tree) == sorted((name, cls.__mro__[1].__name__) for name, cls in classes)
    assert len(tree) > 10


def test_every_error_has_a_docstring() -> None:
    assert all(cls.__doc__ for _, cls in inspect.getmembers(errors, inspect.isclass))


def test_an_error_survives_another_process() -> None:
    error = pickle.loads(pickle.dumps(errors.LoadError("It is wrong.", hint="Do this.")))
    assert isinstance(error, errors.LoadError)
    assert str(error) == "It is wrong.\nDo this."
