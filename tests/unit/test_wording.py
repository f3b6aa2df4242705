"""How values, numbers and texts of others stand in messages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import kgdb
from kgdb.wording import counted, each_line, in_units, listed, one_line, short, value_text

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("Ada", "'Ada'"),
        ("x" * 80, f"'{'x' * 80}'"),
        ("x" * 81, f"'{'x' * 80}…'"),
        (b"x" * 81, f"b'{'x' * 80}…'"),
        ("it's", '"it\'s"'),
        ("a\nb\x1b\udc80", r"'a\nb\x1b\udc80'"),
        (7, "7"),
        (["x" * 1000], f"['{'x' * 77}…"),
    ],
)
def test_a_value_is_told_in_short(value: object, told: str) -> None:
    assert short(value) == told


def test_of_many_names_some_are_told() -> None:
    assert listed(["a", "b"]) == "a, b"
    assert listed([]) == "none"
    assert listed(range(25)).endswith(", 19, and 5 more")
    assert listed(["x" * 1000]) == "x" * 79 + "…"


@pytest.mark.parametrize(
    ("units", "one", "many"),
    [
        ("entities", "1 entity", "2,000 entities"),
        ("triples", "1 triple", "2,000 triples"),
        ("MB", "1 MB", "2,000 MB"),
        ("%", "1 %", "2,000 %"),
        ("bytes", "1 byte", "2,000 bytes"),
    ],
)
def test_one_of_a_unit_is_told_as_one(units: str, one: str, many: str) -> None:
    assert in_units(1, units) == one
    assert in_units(2000, units) == many


def test_a_number_stands_with_its_word() -> None:
    assert [counted(n, "entity", "entities") for n in (0, 1, 2)] == [
        "0 entities", "1 entity", "2 entities"
    ]  # fmt: skip


def test_texts_of_others_steer_nothing() -> None:
    assert one_line("a\x1b[2J\u202eb\nc\u200dd") == "a\ufffd[2J\ufffdb c\u200dd"
    assert each_line("a\x9b\r\nb\x0cc") == "a\ufffd\nb\nc"


def numbers() -> Iterator[tuple[str, str]]:
    """Each number that a message writes with the word behind it."""
    for path in sorted(Path(kgdb.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.JoinedStr):
                continue
            for value, after in zip(node.values, node.values[1:], strict=False):
                if isinstance(value, ast.FormattedValue) and isinstance(after, ast.Constant):
                    said = ast.unparse(value.value)
                    specified = value.format_spec is not None or "len(" in said
                    if specified and not said.replace(".", "").isupper():
                        yield f"{path.name}: {said}{after.value}", str(after.value)


MANY = {"bytes", "characters", "digits", "folders", "numbers"}
"""Of which there are never as few as one where they are told."""


@pytest.mark.slow
def test_no_number_stands_before_a_word_for_many() -> None:
    wrong = [
        where
        for where, after in numbers()
        if (word := re.match(r" (?:more )?([a-z]+s)\b", after))
        and word[1] not in MANY
        and word[1] not in {"is", "was", "has"}
        and not where.startswith("values.py")  # a path of no step joins one entity: none is wrong
    ]
    assert wrong == []


def test_a_list_of_values_has_commas_between() -> None:
    assert value_text(["Neo", "Thomas"]) == "Neo, Thomas"
    assert value_text([1000, True, []]) == "1,000, yes, "
