"""The last form with another entity, value or number, and what each word may stand for."""

from __future__ import annotations

import pytest

from kgdb.graph.forms.operators import (
    And,
    Count,
    EntityForm,
    Filter,
    Find,
    FindAll,
    Form,
    Property,
    Relate,
    Select,
    Verify,
)
from kgdb.graph.schema import RelationEnds, Schema
from kgdb.methods.follow_ups.antecedents import (
    Antecedent,
    Antecedents,
    form_labels,
    set_of,
)
from kgdb.methods.follow_ups.lead import Lead
from kgdb.methods.follow_ups.references import Reference
from kgdb.methods.follow_ups.rewording import with_names, with_other_name
from kgdb.methods.follow_ups.substitution import with_comparison, with_entity
from kgdb.methods.understanding.question import Anchor, Comparison

pytestmark = pytest.mark.unit

ADA, JON, HEAT = Find("Ada", ("1",)), Find("Jon", ("2",)), Find("Heat", ("3",))
PERSON, FILM = frozenset({"Person"}), frozenset({"Film"})
LABELS = {ADA: PERSON, JON: PERSON, HEAT: FILM}
FILMS = Relate(ADA, "ACTED_IN")
NEW = Filter(FILMS, "released", ">", "1990")


def anchor(find: Find) -> Anchor:
    return Anchor(find.name, 4, 4 + len(find.name), find, LABELS[find])


def test_an_entity_takes_the_place_of_the_one_of_its_kind() -> None:
    form = And(FILMS, Relate(HEAT, "LIKE"))
    assert with_entity(form, anchor(JON), LABELS).form == And(
        Relate(JON, "ACTED_IN"), Relate(HEAT, "LIKE")
    )


def test_of_two_of_its_kind_nobody_knows_which() -> None:
    form = And(FILMS, Relate(JON, "ACTED_IN"))
    other = Find("Mia", ("4",))
    found = with_entity(form, Anchor("Mia", 4, 7, other, PERSON), LABELS)
    assert found.form is None
    assert "Ada, Jon" in (found.reason or "")


def test_what_the_last_question_does_not_name_cannot_be_swapped() -> None:
    found = with_entity(FILMS, anchor(HEAT), LABELS)
    assert found.form is None
    assert "'Heat'" in (found.reason or "")


def test_a_value_takes_the_place_of_another() -> None:
    form = Filter(FindAll("Studio"), "city", "=", "Oslo")
    bonn = Filter(FindAll("Studio"), "city", "=", "Bonn")
    value = Anchor("Bonn", 4, 8, bonn, frozenset({"Studio"}), "city", "Bonn")
    assert with_entity(form, value, {}).form == bonn


@pytest.mark.parametrize(
    ("op", "swaps", "form"),
    [
        (">", False, Filter(FILMS, "released", ">", "1980")),
        ("<", True, Filter(FILMS, "released", "<", "1980")),
        ("<", False, Filter(NEW, "released", "<", "1980")),
    ],
)
def test_a_date_is_swapped_or_narrows(op: str, swaps: bool, form: Form) -> None:
    by = Comparison(op, 1980, 4, 14, dated=True)  # type: ignore[arg-type]
    assert with_comparison(NEW, by, swaps=swaps) == form


@pytest.mark.parametrize(
    "form",
    [NEW, Count(NEW), Property(NEW, "released"), Verify(NEW), Verify(Count(NEW), ">", 3)],
)
def test_the_set_that_a_form_is_about(form: Form) -> None:
    assert set_of(form) == NEW


PAIRS = {("Person", "Film"): 9}
SCHEMA = Schema(
    {"Person": 9, "Film": 9}, {}, {"ACTED_IN": RelationEnds("ACTED_IN", 9, {}, {}, (), PAIRS)}
)


@pytest.mark.parametrize(
    ("form", "labels"),
    [
        (FILMS, FILM),
        (Relate(NEW, "ACTED_IN", "in"), PERSON),
        (Select(NEW, "released", "max"), FILM),
    ],
)
def test_the_labels_of_a_form(form: EntityForm, labels: frozenset[str]) -> None:
    assert form_labels(form, SCHEMA, LABELS) == labels


OLDEST = Select(FILMS, "released", "min")
AFTER = Antecedents((Antecedent(OLDEST, FILM, 1), Antecedent(ADA, PERSON, 1)), PERSON)


@pytest.mark.parametrize(("kind", "form"), [("thing", OLDEST), ("person", ADA), ("plural", FILMS)])
def test_a_pronoun_means_what_is_of_its_kind(kind: str, form: EntityForm) -> None:
    found = AFTER.of(Reference("x", 0, 1, kind))  # type: ignore[arg-type]
    assert found is not None
    assert found.form == form


def test_a_person_is_not_looked_for_among_films() -> None:
    only_films = Antecedents((Antecedent(FILMS, FILM, 3),), PERSON)
    assert only_films.of(Reference("he", 0, 2, "person")) is None


def test_a_name_stands_where_a_word_referred_to_it() -> None:
    his = Reference("his", 0, 3, "person", possessive=True)
    assert with_names(Lead("his films"), [his], "Ada Weir") == "Ada Weir's films"
    these = Reference("this", 13, 17, "thing", noun=FILM, noun_end=22)
    assert with_names(Lead("who directed this film?"), [these], "Heat") == "who directed Heat?"


def test_another_name_in_the_last_question() -> None:
    assert with_other_name("Who is Ada?", "Jon", [ADA]).question == "Who is Jon?"
    assert "Ada, Jon" in (with_other_name("Ada or Jon?", "Mia", [ADA, JON]).reason or "")
