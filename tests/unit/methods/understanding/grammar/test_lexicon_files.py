"""The files of languages: what they must have, and what is said of one that is wrong."""

from __future__ import annotations

import inspect
import re
from importlib.resources import files

import pytest

from kgdb.errors import UsageError
from kgdb.methods.understanding.grammar.lexicon import KINDS, languages, lexicon, lexicon_of
from kgdb.methods.understanding.grammar.productions import Step, productions_of

pytestmark = pytest.mark.unit

ACTIONS = ("modified", "gap", "related")
CLASSES = ("S", "W", "of", "what")
KINDS_OF = {
    "W": "Word",
    "S": "Set|Object",
    "V": "Values|Amount",
    "B": "Bound",
    "C": "Conditional",
    "VP": "Conditional",
    "superlative": "Adjective",
    "comparative": "Adjective",
    "extreme": "Extreme",
}
"""What the meanings of categories are, as actions say what they take."""


@pytest.mark.parametrize("language", languages())
def test_an_action_gets_as_many_meanings_as_it_takes(language: str) -> None:
    actions = {name: getattr(kind, f"_{name}") for kind in KINDS for name in kind.names()}
    known = lexicon(language)
    entries = [entry for each in known.entries.values() for entry in each]
    marks = {entry.category for entry in entries if entry.meaning is None}
    for production in known.productions:
        for step in production.step.steps():
            parts = [
                part
                for part in step.parts
                if isinstance(part, Step) or production.symbols[part] not in marks
            ]
            signature = inspect.signature(actions[step.action])
            try:
                bound = signature.bind(None, *parts)
            except TypeError as error:
                pytest.fail(f"{production}: {step.action} gets {len(parts)}: {error}")
            taken = [
                signature.parameters[name].annotation
                for name, value in list(bound.arguments.items())[1:]
                for _ in (value if isinstance(value, tuple) else (value,))
            ]
            for part, annotation in zip(parts, taken, strict=True):
                kind = KINDS_OF.get(production.symbols[part]) if isinstance(part, int) else None
                assert kind is None or re.search(rf"{kind}|Any", annotation), (production, step)


@pytest.mark.parametrize("language", languages())
def test_every_class_of_small_words_is_used(language: str) -> None:
    known = lexicon(language)
    classes = {entry.category for each in known.entries.values() for entry in each}
    used = {symbol for each in known.productions for symbol in each.symbols}
    assert classes - {"at", "prep"} <= used  # a preposition has both


def test_a_bare_action_takes_all_symbols_and_others_name_them() -> None:
    text = """
    # a note
    S : W of S | W S = related
    S : S W what S = modified(-1, gap(1, 2))
    """
    plain, other, nested = productions_of(text, CLASSES, ACTIONS, "x.toml")
    assert plain.step == Step("related", (0, 1, 2))
    assert other.symbols == ("W", "S")
    assert nested.step == Step("modified", (3, Step("gap", (0, 1))))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("S : W of S = relaxed", "'relaxed' is no action"),
        ("S : W off S = related", "'off' is neither a category nor a class"),
        ("S : W of S = related(1, 4)", "there is no symbol 4, only 1 to 3"),
        ("S : W of S = related(1, 0)", "there is no symbol 0"),
        ("S : W of S = related(1 3)", "',' or ')' is expected at '3'"),
        ("S : W of S = related(1, 3", "',' or ')' is expected at 'the end'"),
        ("S : W of S = related(1, 3) 2", "the action goes on with '2'"),
        ("S : W of S", "no production is found"),
        ("S = related", "no production is found"),
    ],
)
def test_a_faulty_line_is_told_with_what_was_expected(line: str, told: str) -> None:
    with pytest.raises(UsageError) as error:
        productions_of(line, CLASSES, ACTIONS, "x.toml")
    assert "x.toml" in error.value.message
    assert line in error.value.message
    assert told in error.value.message


def test_a_file_without_a_table_is_told() -> None:
    package = files("kgdb.methods.understanding.grammar")
    text = package.joinpath("lexicons", "zh.toml").read_text(encoding="utf-8")
    with pytest.raises(UsageError, match=r"lexicons/zh.toml: there is no 'silent'"):
        lexicon_of(text.replace("silent =", "quiet ="), "zh")
