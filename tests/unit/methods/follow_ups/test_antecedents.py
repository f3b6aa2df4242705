"""What each word for an earlier answer may stand for, and names in its place."""

from __future__ import annotations

import pytest

from kgdb.graph.forms.operators import (
    Count,
    EntityForm,
    Filter,
    Find,
    Form,
    Property,
    Relate,
    Select,
    Verify,
    set_of,
)
from kgdb.graph.schema import RelationEnds, Schema
from kgdb.methods.follow_ups.antecedents import (
    Antecedent,
    Antecedents,
    form_labels,
)
from kgdb.methods.follow_ups.lead import Lead
from kgdb.methods.follow_ups.references import Reference
from kgdb.methods.follow_ups.rewording import with_names, with_other_name

pytestmark = pytest.mark.unit

ADA, JON, HEAT = Find("Ada", ("1",)), Find("Jon", ("2",)), Find("Heat", ("3",))
PERSON, FILM = frozenset({"Person"}), frozenset({"Film"})
LABELS = {ADA: PERSON, JON: PERSON, HEAT: FILM}
FILMS = Relate(ADA, "ACTED_IN")
NEW = Filter(FILMS, "released", ">", "1990")


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
    found = AFTER.fitting(Reference("x", 0, 1, kind))  # type: ignore[arg-type]
    assert found[0].form == form


def test_a_person_is_not_looked_for_among_films() -> None:
    only_films = Antecedents((Antecedent(FILMS, FILM, 3),), PERSON)
    assert only_films.fitting(Reference("he", 0, 2, "person")) == []


def test_a_name_stands_where_a_word_referred_to_it() -> None:
    his = Reference("his", 0, 3, "person", possessive=True)
    assert with_names(Lead("his films"), [his], "Ada Weir") == "Ada Weir's films"
    these = Reference("this", 13, 17, "thing", noun=FILM, noun_end=22)
    assert with_names(Lead("who directed this film?"), [these], "Heat") == "who directed Heat?"


def test_another_name_in_the_last_question() -> None:
    assert with_other_name("Who is Ada?", "Jon", [ADA]).question == "Who is Jon?"
    assert "Ada, Jon" in (with_other_name("Ada or Jon?", "Mia", [ADA, JON]).reason or "")
