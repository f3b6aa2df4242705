"""A corpus from a graph alone: questions by templates, and a part that is held back."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from fakes import Fact, MemoryDriver, memory_graph
from films import FILMS, HOSTILE, TEXTS, films

from kgdb.errors import UsageError
from kgdb.graph.retrieval.results import RelationInfo
from kgdb.lab.training.corpus import (
    CorpusReport,
    RelationRow,
    corpus_from_graph,
    is_held_back,
)
from kgdb.lab.training.corpus.phrases import End, asked, step_phrases
from kgdb.lab.training.corpus.questioning import Questioner
from kgdb.lab.training.corpus.sampling import PER_RELATION, sample_facts
from kgdb.values import Entity, Step, Triple

pytestmark = pytest.mark.unit

PEOPLE = [(f"P{n}", "manages", f"P{2 * n}") for n in range(1, 30)]


def triples(facts: list[Fact]) -> list[Triple]:
    return [Triple(Entity(h, h), relation, Entity(t, t)) for h, relation, t in facts]


def made(driver: MemoryDriver, **options: Any) -> tuple[list[RelationRow], CorpusReport]:
    return corpus_from_graph(memory_graph(driver), **options)


def test_every_chain_has_ends_and_every_question_its_place() -> None:
    graph = memory_graph(films())
    rows, told = corpus_from_graph(graph, rows=200)
    assert len(rows) == told.rows > 100
    assert {len(row.chain) for row in rows} == {1, 2, 3}
    for row in rows:
        ends = graph.follow(row.entities, row.chain)
        assert {end.entity.name for end in ends} - set(row.entities), row
        assert re.search(r"\bthis\b", row.question.casefold()), row
        assert "{}" not in row.question
        assert row.wordings not in row.negatives


def test_both_directions_and_many_phrasings_are_asked() -> None:
    rows, _ = made(films(), rows=400)
    steps = {step for row in rows for step in row.chain}
    assert {"directed_by", "^directed_by", "written_by", "^written_by"} <= steps
    phrasings = {row.question for row in rows if row.chain == ("directed_by",)}
    assert len(phrasings) >= 5


def test_the_same_seed_gives_the_same_rows_in_whatever_order_facts_come() -> None:
    first, _ = made(films(), rows=100, seed=3)
    assert made(MemoryDriver(FILMS[::-1], TEXTS), rows=100, seed=3)[0] == first
    assert made(films(), rows=100, seed=4)[0] != first


def test_what_is_held_back_is_not_trained_on() -> None:
    rows, told = made(films(*PEOPLE), rows=600, held_back=0.4)
    held = [row for row in rows if is_held_back(row)]
    trained = [row for row in rows if not is_held_back(row)]
    assert told.held_back == len(held) > 20

    def texts(rows: list[RelationRow]) -> set[str]:
        return {row.question.casefold().rstrip("?") for row in rows}

    assert texts(held).isdisjoint(texts(trained))
    assert {row.entities for row in held}.isdisjoint(row.entities for row in trained)
    long = {row.chain for row in held if len(row.chain) > 1}
    assert long.isdisjoint(row.chain for row in trained)
    unseen = {row.wordings for row in held if len(row.chain) > 1}
    assert unseen.isdisjoint(negative for row in trained for negative in row.negatives)


def test_nothing_is_held_back_where_that_is_asked_for() -> None:
    rows, told = made(films(), rows=50, held_back=0.0)
    assert rows
    assert told.held_back == 0


def test_no_chain_begins_or_ends_at_mediators(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = [("Heat", "role", "m.1"), ("m.1", "actor", "Ada Weir"), ("Ada Weir", "born", "1950")]
    graph = memory_graph(MemoryDriver(facts))
    texts = (None, None, None, None)
    relations = {
        "role": RelationInfo("role", 1, *texts, mediator_tails=True),
        "actor": RelationInfo("actor", 1, *texts, mediator_heads=True),
        "born": RelationInfo("born", 1, *texts),
    }
    monkeypatch.setattr(graph, "relations", relations)
    rows, _ = corpus_from_graph(graph, rows=100, held_back=0.0)
    chains = {row.chain for row in rows}
    assert ("role", "actor") in chains
    assert not chains & {("role",), ("actor",), ("^actor",), ("^role",), ("^born", "^actor")}


def test_the_report_counts_what_was_dropped() -> None:
    rows, told = made(MemoryDriver([("A", "knows", "B")]), rows=300, max_hops=1)
    assert 0 < len(rows) < 300
    assert told.dropped["the question is there already"] > 0
    assert told.to_dict()["rows"] == len(rows)
    assert told.to_dict()["hops"] == {"1": len(rows)}


def test_a_graph_without_facts_is_an_error() -> None:
    with pytest.raises(UsageError, match="has no facts"):
        made(MemoryDriver([]))


@pytest.mark.parametrize("text", [*HOSTILE, "{}{}", "{} of {}", "no place", "", "{", "{0} {}"])
def test_a_hostile_text_becomes_no_template(text: str) -> None:
    """It is data: it may be part of a question, and nothing in it is filled in or obeyed."""
    texts = {"directed_by": {"text": text, "question": text, "inverse": text}}
    rows, _ = made(MemoryDriver(FILMS, texts), rows=60)
    assert rows
    for row in rows:
        assert "{}" not in row.question


def test_hostile_names_are_masked() -> None:
    facts = [(name, "directed_by", "Ada Weir") for name in HOSTILE]
    rows, _ = made(MemoryDriver(facts, TEXTS), rows=60)
    assert {name for row in rows for name in row.entities} & set(HOSTILE)
    assert not [row for row in rows for name in HOSTILE if name in row.question]


def test_facts_are_drawn_alike_in_whatever_order_they_come() -> None:
    facts = triples([(f"a{n}", "r", f"b{n}") for n in range(2 * PER_RELATION)])
    drawn = sample_facts(facts, 0)
    assert sample_facts(facts[::-1], 0) == drawn
    assert len(drawn["r"]) == PER_RELATION
    assert sample_facts(facts, 1) != drawn


def info(relation: str, **texts: str) -> RelationInfo:
    given = [texts.get(key) for key in ("text", "inverse", "question", "inverse_question")]
    return RelationInfo(relation, 1, *given)


MOVIE, PERSON = End.of("Movie"), End.of("Person")


@pytest.mark.parametrize(
    ("relation", "reverse", "end", "nouns", "questions"),
    [
        (
            "ACTED_IN",
            False,
            MOVIE,
            {"the movies that {} acted in", "movies {} acted in"},
            {"which movie did {} act in?", "what did {} act in?"},
        ),
        (
            "DIRECTED",
            True,
            PERSON,
            {"the person who directed {}"},
            {"who directed {}?", "by whom was {} directed?", "which people directed {}?"},
        ),
        (
            "WROTE",
            False,
            MOVIE,
            {"the movie written by {}"},
            {"what was written by {}?", "what movies did {} write?"},
        ),
        (
            "written_by",
            False,
            PERSON,
            {"people who wrote {}"},
            {"who wrote {}?", "{} was written by who?"},
        ),
        (
            "manages",
            False,
            PERSON,
            {"the person that {} manages", "people managed by {}"},
            {"whom does {} manage?", "who is managed by {}?"},
        ),
        (
            "located_in",
            True,
            End.of("City"),
            {"the cities located in {}", "the city that is located in {}"},
            {"which cities are located in {}?"},
        ),
        (
            "located_in",
            False,
            End.of("Country"),
            {"what {} is located in"},
            {"where is {} located?"},
        ),
        (
            "capital",
            False,
            End.of("City"),
            {"the capital of {}", "{}'s capital", "the city that is the capital of {}"},
            {"what capital does {} have?"},
        ),
        (
            "capital",
            True,
            End.of("Country"),
            {"countries whose capital is {}", "what has {} as capital"},
            {"whose capital is {}?", "which country has {} as its capital?"},
        ),
        ("parent_of", True, PERSON, {"the parent of {}", "{}'s parent"}, set()),
        ("parent_of", False, PERSON, {"people whose parent is {}"}, {"whose parent is {}?"}),
        ("主演", False, End(), {"{}的主演"}, {"{}的主演是什么？"}),
    ],
)
def test_a_relation_is_put_into_words_by_its_name(
    relation: str, reverse: bool, end: End, nouns: set[str], questions: set[str]
) -> None:
    _, by_grammar = step_phrases(relation, None, reverse=reverse, end=end)
    assert nouns <= set(by_grammar.nouns)
    assert questions <= set(by_grammar.questions)


def test_the_texts_of_a_relation_give_phrases_of_their_own_in_both_directions() -> None:
    texts = info("d", text="the director of {}", question="who directed {}?")
    given, grammar = step_phrases("d", texts, reverse=False, end=PERSON)
    assert {"the director of {}", "{}'s director", "the person who directed {}"} <= set(given.nouns)
    assert "by whom was {} directed?" in grammar.questions
    given, grammar = step_phrases("d", texts, reverse=True, end=MOVIE)
    assert given.nouns == ()
    assert {"the movie directed by {}", "movies whose director is {}"} <= set(grammar.nouns)


def test_a_noun_phrase_is_asked_for_with_the_number_it_has() -> None:
    assert "what is the movie that {} wrote?" in asked("the movie that {} wrote", MOVIE)
    assert "what are the movies that {} wrote?" in asked("the movies that {} wrote", MOVIE)
    assert "who are people who wrote {}?" in asked("people who wrote {}", PERSON)
    assert not [each for each in asked("what {} wrote", MOVIE) if each.startswith("what is")]


def test_a_possessive_stands_only_beside_the_name() -> None:
    texts = {"directed_by": {"text": "the director of {}"}}
    questioner = Questioner(memory_graph(MemoryDriver(FILMS, texts)))
    draw = random.Random(0)
    steps = (Step("starred_actors", reverse=True), Step("directed_by"))
    nested = {questioner.ask(steps, draw) or "" for _ in range(300)}
    assert not [question for question in nested if "'s director" in question]
    alone = {questioner.ask(steps[1:], draw) or "" for _ in range(300)}
    assert [question for question in alone if "this's director" in question.casefold()]


def test_the_mask_takes_no_noun_away() -> None:
    """Of *the film [Ada Weir] directed* the methods see *this directed*: that is not asked."""
    questioner = Questioner(memory_graph(MemoryDriver([("Heat", "DIRECTED", "x")])))
    draw = random.Random(0)
    asked = {questioner.ask((Step("DIRECTED"),), draw) or "" for _ in range(400)}
    kept = {"the things that this directed", "the things this directed"}
    assert kept <= asked
    assert not asked & {"this directed", "name this directed"}
