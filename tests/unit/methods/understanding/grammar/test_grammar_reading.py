"""Sentences read by the grammar, by the letters of their words alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from film_schema import SCHEMA
from film_sentences import ADA, BEN, DUNE, FILMS, HEAT, LUMEN, PEOPLE, directed, directors, read

from kgdb.graph.forms.operators import (
    Aggregate,
    And,
    Compare,
    Count,
    EntityForm,
    Except,
    Filter,
    FilterByCount,
    FilterLabel,
    Form,
    GroupBy,
    Or,
    Property,
    Relate,
    Select,
    SelectByCount,
    Verify,
)
from kgdb.methods.understanding.grammar.lexicon import KINDS, lexicon

pytestmark = pytest.mark.unit

ACTED = Relate(ADA, "ACTED_IN")


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("Who directed Dune?", directors(DUNE)),
        ("Which films did Ada direct?", directed(ADA)),
        ("Which films were directed by Ada?", directed(ADA)),
        ("Which films did Ada act in?", ACTED),
        ("Which films were made by Lumen?", Relate(LUMEN, "MADE_BY", "in")),
        ("Who directed films that Ada acted in?", directors(ACTED, anew=True)),
        (
            "Which films were directed by people who acted in Dune?",
            directed(Relate(DUNE, "ACTED_IN", "in"), anew=True),
        ),
        ("Which films did Ada not direct?", Except(FILMS, directed(ADA))),
        ("Which films did nobody review?", Except(FILMS, Relate(PEOPLE, "REVIEWED"))),
        (
            "Which films did Ada act in but not direct?",
            Except(ACTED, directed(ADA)),
        ),
        (
            "Who acted in no films?",
            Except(PEOPLE, Relate(FILMS, "ACTED_IN", "in")),
        ),
        ("Who directed Dune and Heat?", And(directors(DUNE), directors(HEAT))),
        ("Who directed Dune or Heat?", Or(directors(DUNE), directors(HEAT))),
        (
            "Who acted in more than two films that Ada directed?",
            FilterByCount(PEOPLE, "ACTED_IN", ">", 2, to=directed(ADA)),
        ),
        ("Who directed the most films?", SelectByCount(PEOPLE, "DIRECTED", "max", to=FILMS)),
        ("Which film has the largest budget?", Select(FILMS, "budget", "max")),
        (
            "films released between 1990 and 2000",
            Filter(Filter(FILMS, "released", ">=", "1990"), "released", "<=", "2000"),
        ),
        (
            "Which films have a higher budget than Dune?",
            Filter(FILMS, "budget", ">", Property(DUNE, "budget")),
        ),
        ("Who is older, Ada or Ben?", Compare(ADA, BEN, "born", "min")),
        ("When was Ada born?", Property(ADA, "born")),
        ("How many films did Ada direct?", Count(directed(ADA))),
        ("How many films did each person direct?", GroupBy(FILMS, "DIRECTED", "in")),
        ("How many films are there for each studio?", GroupBy(FILMS, "MADE_BY")),
        (
            "What is the average budget of films that Ada directed?",
            Aggregate(Property(directed(ADA), "budget"), "mean"),
        ),
        ("Did Ada direct Dune?", Verify(And(ADA, directors(DUNE)))),
        (
            "Which is the oldest film that Ada directed?",
            Select(directed(ADA), "released", "min"),
        ),
        (
            "Who directed the second most films?",
            Except(
                SelectByCount(PEOPLE, "DIRECTED", "max", k=2, to=FILMS),
                SelectByCount(PEOPLE, "DIRECTED", "max", to=FILMS),
            ),
        ),
        (
            "Which films have a budget above average?",
            Filter(FILMS, "budget", ">", Aggregate(Property(FILMS, "budget"), "mean")),
        ),
        (
            "Which films have the same budget as Dune?",
            Except(Filter(FILMS, "budget", "=", Property(DUNE, "budget")), DUNE),
        ),
        (
            "Which films were made by the same studio as Dune?",
            Except(Relate(Relate(DUNE, "MADE_BY"), "MADE_BY", "in", anew=True), DUNE),
        ),
        ("For each person, how many films did they direct?", GroupBy(FILMS, "DIRECTED", "in")),
    ],
)
def test_a_question_has_a_form(question: str, form: Form) -> None:
    assert read(question)[0].form == form


@pytest.mark.parametrize(
    ("claim", "form", "denied"),
    [
        ("Ada directed Dune.", And(ADA, directors(DUNE)), False),
        ("Ada did not direct Dune.", And(ADA, directors(DUNE)), True),
        ("Dune is a film.", FilterLabel(DUNE, "Film"), False),
        ("Ada is older than Ben.", Filter(ADA, "born", "<", Property(BEN, "born")), False),
    ],
)
def test_a_claim_says_that_something_holds_or_not(
    claim: str, form: EntityForm, denied: bool
) -> None:
    best = read(claim, claim=True)[0]
    assert (best.form, best.whole.denied) == (Verify(form), denied)


@pytest.mark.parametrize("text", ["Dune", "Dune Ada", "Why 7 Dune"])
def test_what_no_production_joins_has_no_reading(text: str) -> None:
    assert read(text) == []


def test_a_word_that_names_nothing_scores_far_below_one_that_does() -> None:
    assert read("Who glorped Dune?")[0].score < read("Who directed Dune?")[0].score - 3


def test_productions_and_actions_name_each_other_and_no_action_is_there_twice() -> None:
    actions = Counter(name for kind in KINDS for name in kind.names())
    assert set(actions.values()) == {1}
    assert set(actions) == {production.step.action for production in lexicon("en").productions}


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("Which reels did Ada direct?", directed(ADA)),
        ("Who helmed Dune?", directors(DUNE)),
        ("What is the price tag of Dune?", Property(DUNE, "budget")),
        ("Which reel has the largest price tag?", Select(FILMS, "budget", "max")),
        ("Who does Ada stalk?", Relate(ADA, "FOLLOWS")),
        ("Who stalks Ada?", Relate(ADA, "FOLLOWS", "in")),
    ],
)
def test_taught_words_are_read_as_the_names(question: str, form: Form) -> None:
    taught = {
        "Film": ("reel",),
        "DIRECTED": ("helmed",),
        "budget": ("price tag",),
        "FOLLOWS": ("stalks",),
    }
    (best, *_) = read(question, schema=replace(SCHEMA, synonyms=taught))
    assert best.form == form
