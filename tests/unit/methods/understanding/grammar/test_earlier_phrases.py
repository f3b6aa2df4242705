"""Sentences that go on from an earlier answer, read by the letters of their words alone."""

from __future__ import annotations

import numpy as np
import pytest
from film_schema import SCHEMA
from film_sentences import ADA, BEN, DUNE, FILMS, HEAT, NAMES, WEIGHTS, directed, directors
from language_schemas import CHINESE

from kgdb.graph.forms.operators import (
    Aggregate,
    And,
    Count,
    EntityForm,
    Except,
    Filter,
    Find,
    Form,
    Property,
    Relate,
    Select,
    Verify,
    replaced,
)
from kgdb.methods.understanding.grammar.grammar_reading import Sentence
from kgdb.methods.understanding.grammar.lexicon import languages, lexicon
from kgdb.methods.understanding.grammar.meanings import Last, Set
from kgdb.methods.understanding.question import Anchor

pytestmark = pytest.mark.unit

FILM, PERSON = frozenset({"Film"}), frozenset({"Person"})
SEEN = Relate(ADA, "ACTED_IN")
PARTS = ((SEEN, FILM), (ADA, PERSON))


def named(text: str, names: dict[str, str]) -> list[Anchor]:
    return [
        Anchor(name, at, at + len(name), Find(name), frozenset({label}))
        for name, label in names.items()
        if (at := text.find(name)) >= 0
    ]


def read(text: str, word: str, meant: EntityForm, label: str = "Film", many: bool = True) -> Form:
    """The likeliest form where ``word`` stands for an earlier set."""
    earlier = {text.index(word): [Set(meant, label, "they" if many else "name")]}
    sentence = Sentence(text, named(text, NAMES), SCHEMA, {}, earlier=earlier)
    vectors = np.zeros((len(sentence.texts), 1), np.float32)
    return sentence.read(sentence.matcher(vectors), WEIGHTS)[0].form


def going_on(text: str, last: Form = SEEN) -> list[Form]:
    """The forms where the earlier set stands at a place that no word tells."""
    earlier = {-1: [Set(SEEN, "Film", "they"), Last(last, PARTS)]}
    sentence = Sentence(text, named(text, NAMES), SCHEMA, {}, earlier=earlier)
    vectors = np.zeros((len(sentence.texts), 1), np.float32)
    return [each.form for each in sentence.going_on(sentence.matcher(vectors), WEIGHTS)]


@pytest.mark.parametrize(
    ("text", "word", "form"),
    [
        ("When were they released?", "they", Property(SEEN, "released")),
        ("Who directed them?", "them", directors(SEEN, anew=True)),
        ("How many of them did Ben direct?", "them", Count(And(SEEN, directed(BEN)))),
        ("Which of these is the oldest?", "these", Select(SEEN, "released", "min")),
        ("What is their average budget?", "their", Aggregate(Property(SEEN, "budget"), "mean")),
        ("only those directed by Ben", "those", And(SEEN, directed(BEN))),
        ("not those directed by Ben", "those", Except(SEEN, directed(BEN))),
        ("Who directed these films?", "these", directors(SEEN, anew=True)),
        ("Are any of them directed by Ben?", "them", Verify(And(SEEN, directed(BEN)))),
    ],
)
def test_a_word_stands_for_an_earlier_set(text: str, word: str, form: Form) -> None:
    assert read(text, word, SEEN) == form


def test_of_several_things_nobody_asks_yes_or_no() -> None:
    text = "Were they directed by Ben?"
    assert read(text, "they", DUNE, many=False) == Verify(And(DUNE, directed(BEN)))
    with pytest.raises(IndexError):
        read(text, "they", SEEN)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("How many?", Count(SEEN)),
        ("How many are there?", Count(SEEN)),
        ("The oldest?", Select(SEEN, "released", "min")),
        ("directed by Ben", And(SEEN, directed(BEN))),
        ("not directed by Ben", Except(SEEN, directed(BEN))),
        ("only after 1990", Filter(SEEN, "released", ">", "1990")),
        ("without Heat", Except(SEEN, HEAT)),
        ("which ones?", SEEN),
    ],
)
def test_where_no_word_says_it_the_earlier_set_stands_anywhere(text: str, form: Form) -> None:
    assert going_on(text)[0] == form


NEW = Filter(SEEN, "released", ">", "1990")


@pytest.mark.parametrize(
    ("text", "last", "form"),
    [
        ("and Ben?", SEEN, Relate(BEN, "ACTED_IN")),
        (
            "and Ben?",
            And(SEEN, directors(HEAT)),
            And(Relate(BEN, "ACTED_IN"), directors(HEAT)),
        ),
        ("and after 1980?", NEW, Filter(SEEN, "released", ">", "1980")),
        ("and before 2000?", NEW, Filter(NEW, "released", "<", "2000")),
        ("and Heat?", Property(directors(DUNE), "born"), Property(directors(HEAT), "born")),
    ],
)
def test_another_part_takes_the_place_of_the_one_of_its_kind(
    text: str, last: Form, form: Form
) -> None:
    parts = (*PARTS, (DUNE, FILM)) if DUNE in _finds(last) else PARTS
    earlier = {-1: [Set(SEEN, "Film", "they"), Last(last, parts)]}
    sentence = Sentence(text, named(text, NAMES), SCHEMA, {}, earlier=earlier)
    vectors = np.zeros((len(sentence.texts), 1), np.float32)
    found = sentence.going_on(sentence.matcher(vectors), WEIGHTS)
    assert found[0].form == form


def _finds(form: Form) -> list[Find]:
    return [find for find in (ADA, BEN, DUNE, HEAT) if replaced(form, find, FILMS) != form]


def test_what_is_told_more_of_narrows_and_takes_no_place() -> None:
    found = going_on("and the ones released after 1990?", Property(SEEN, "budget"))
    assert found[0] == Filter(SEEN, "released", ">", "1990")


def test_of_two_of_its_kind_nobody_knows_which() -> None:
    last = Last(And(SEEN, directed(BEN)), ((ADA, PERSON), (BEN, PERSON)))
    names = {"Cy": "Person"}
    sentence = Sentence("and Cy?", named("and Cy?", names), SCHEMA, {}, earlier={-1: [last]})
    vectors = np.zeros((len(sentence.texts), 1), np.float32)
    assert sentence.going_on(sentence.matcher(vectors), WEIGHTS) == []


ACTED = Relate(Find("林晓雨"), "出演")
CHEN = Relate(Find("陈建国"), "导演")


@pytest.mark.parametrize(
    ("text", "word", "form"),
    [
        ("有几部？", "", Count(ACTED)),
        ("哪部最早？", "", Select(ACTED, "上映年份", "min")),
        ("最早的是哪部？", "", Select(ACTED, "上映年份", "min")),
        ("只要2000年之后上映的", "", Filter(ACTED, "上映年份", ">", "2000")),
        ("不是陈建国导演的", "", Except(ACTED, CHEN)),
        ("其中哪些是陈建国导演的？", "其中", And(ACTED, CHEN)),
        ("其中有几部是陈建国导演的？", "其中", Count(And(ACTED, CHEN))),
        ("它们的平均票房是多少？", "它们", Aggregate(Property(ACTED, "票房"), "mean")),
        ("谁导演了这部电影？", "这部", Relate(ACTED, "导演", "in", anew=True)),
    ],
)
def test_chinese_goes_on_by_its_lexicon(text: str, word: str, form: Form) -> None:
    earlier = {text.index(word) if word else -1: [Set(ACTED, "电影", "they")]}
    anchors = named(text, dict(CHINESE.names))
    sentence = Sentence(text, anchors, CHINESE.schema, {}, "zh", earlier)
    vectors = np.zeros((len(sentence.texts), 1), np.float32)
    matcher = sentence.matcher(vectors, by_letters=True)
    read = sentence.read if word else sentence.going_on
    assert read(matcher, WEIGHTS)[0].form == form


def test_a_language_without_such_productions_does_not_go_on() -> None:
    assert {name for name in languages() if lexicon(name).goes_on} == {"en", "zh"}
