"""Relation chains in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgdb.language import grouped, verbalize, verbalize_question
from kgdb.loading import RelationText, read_spec
from kgdb.values import Entity, Path, Step

pytestmark = pytest.mark.unit

TEXTS = {
    "starred_actors": RelationText(
        "the actors in {}", "the films starring {}", "who acted in {}?", "what did {} act in?"
    ),
    "directed_by": RelationText("the director of {}", None, "who directed {}?", None),
}
ACTED_IN, DIRECTED_BY = Step("starred_actors", reverse=True), Step("directed_by")
DIRECTED = Step("directed_by", reverse=True)


def test_noun_phrases_nest_and_the_last_hop_is_asked_for() -> None:
    chain = (ACTED_IN, DIRECTED_BY)
    assert verbalize(chain, "Ada Weir", TEXTS) == "the director of the films starring Ada Weir"
    assert (
        verbalize_question(chain, "Ada Weir", TEXTS) == "who directed the films starring Ada Weir?"
    )


def test_the_words_are_those_of_the_direction() -> None:
    along = Step("starred_actors")
    assert verbalize([along], "X", TEXTS) == "the actors in X"
    assert verbalize([ACTED_IN], "X", TEXTS) == "the films starring X"
    assert verbalize_question([along], "X", TEXTS) == "who acted in X?"
    assert verbalize_question([ACTED_IN], "X", TEXTS) == "what did X act in?"


def test_an_empty_chain_is_its_start() -> None:
    assert verbalize([], "Ada Weir", TEXTS) == "Ada Weir"


def test_each_text_that_is_missing_comes_from_the_id() -> None:
    assert verbalize([DIRECTED], "X", TEXTS) == "what is directed by X"
    assert verbalize_question([DIRECTED], "X", TEXTS) == "what is directed by X?"
    assert verbalize([Step("born_in")], "X", {}) == "what X is born in"
    assert verbalize_question([Step("born_in")], "X", {}) == "what is X born in?"


@pytest.mark.parametrize(
    ("relation", "along", "asked", "against"),
    [
        ("part_of", "what Tofu is part of", "what is Tofu part of?", "what is part of Tofu"),
        ("PART_OF", "what Tofu is part of", "what is Tofu part of?", "what is part of Tofu"),
        ("livesIn", "what Tofu lives in", "what Tofu lives in?", "what lives in Tofu"),
        ("acted_in", "what Tofu acted in", "what Tofu acted in?", "what acted in Tofu"),
        ("followed_by", "what Tofu is followed by", "what is Tofu followed by?",
         "what is followed by Tofu"),
        ("manages", "what Tofu manages", "what Tofu manages?", "what manages Tofu"),
        ("ACQUIRED", "what Tofu acquired", "what Tofu acquired?", "what acquired Tofu"),
        ("TRANSFER", "what Tofu transfers to", "what Tofu transfers to?", "what transfers to Tofu"),
        ("http://example.org/knows/", "what Tofu knows", "what Tofu knows?", "what knows Tofu"),
        ("isParentOf", "what Tofu is parent of", "what is Tofu parent of?",
         "what is parent of Tofu"),
        ("in", "what Tofu is in", "what is Tofu in?", "what is in Tofu"),
        ("genre", "the genre of Tofu", "what is the genre of Tofu?", "what has Tofu as genre"),
    ],
)  # fmt: skip
def test_a_verb_or_a_preposition_has_what_it_leads_to_behind_it(
    relation: str, along: str, asked: str, against: str
) -> None:
    step, back = Step(relation), Step(relation, reverse=True)
    assert verbalize([step], "Tofu", {}) == along
    assert verbalize_question([step], "Tofu", {}) == asked
    assert verbalize([back], "Tofu", {}) == against
    assert verbalize_question([back], "Tofu", {}) == f"{against}?"


@pytest.mark.parametrize(
    ("relation", "words"),
    [
        ("people.person.place_of_birth", "place of birth"),
        ("http://dbpedia.org/ontology/birthPlace", "birth place"),
        ("http://www.w3.org/2000/01/rdf-schema#label", "label"),
        ("/people/person/spouse_s./people/marriage/spouse", "spouse"),
        ("Team/Dept", "team dept"),
        ("No. of staff (approx.)", "no of staff approx"),
        ("BIRTH_PLACE", "birth place"),
        ("has-part", "part"),
        ("hasChild", "child"),
        ("导演", "导演"),
        ("P31", "p31"),
        ("???", "???"),
    ],
)
def test_an_id_as_words(relation: str, words: str) -> None:
    assert verbalize([Step(relation)], "X", {}) == f"the {words} of X"


@pytest.mark.parametrize("name", ["{}", "{0}", "{name}", "%s", "\\1", "a {} b"])
def test_a_name_is_put_in_as_it_is(name: str) -> None:
    chain = (ACTED_IN, DIRECTED_BY)
    assert verbalize(chain, name, TEXTS) == f"the director of the films starring {name}"
    assert verbalize_question(chain, name, TEXTS) == f"who directed the films starring {name}?"


def path(*parts: str) -> Path:
    """Entities, whose ids are their names, and steps in turn."""
    entities = tuple(Entity(part, part) for part in parts[::2])
    return Path(entities, tuple(map(Step.parse, parts[1::2])))


def test_the_facts_of_paths_are_told_once_and_what_one_step_leads_to_together() -> None:
    paths = [
        path("Ada", "^starred_actors", "Heat", "directed_by", "Bo"),
        path("Ada", "^starred_actors", "Cold", "directed_by", "Bo"),
        path("Bo", "^directed_by", "Heat", "starred_actors", "Cy"),
        path("Heat", "starred_actors", "Di"),
        path("Heat", "made_in", "Oslo"),
        path("Heat", "made_in", "Rome"),
    ]
    assert grouped(paths, TEXTS, 600) == [
        "the films starring Ada: Heat; Cold",
        "the director of Heat: Bo",
        "the director of Cold: Bo",
        "the actors in Heat: Cy; Di",
        "Heat, made in: Oslo; Rome",
    ]


def test_facts_against_a_relation_without_words_for_it_stand_alone() -> None:
    paths = [path("Bo", "^directed_by", "Heat"), path("Bo", "^directed_by", "Cold")]
    assert grouped(paths, TEXTS, 600) == ["the director of Heat: Bo", "the director of Cold: Bo"]


@given(
    st.lists(st.tuples(*[st.sampled_from(["A", "B", "C {}", "D" * 30])] * 2, st.booleans())),
    st.integers(1, 60),
)
def test_no_fact_is_lost_and_lines_are_no_longer_than_one_fact_makes_them(
    edges: list[tuple[str, str, bool]], longest: int
) -> None:
    paths = [path(a, ("^" if back else "") + "starred_actors", b) for a, b, back in edges]
    lines = grouped(paths, TEXTS, longest)
    triples = {triple for each in paths for triple in each.triples}
    assert sum(1 + line.count("; ") for line in lines) == len(triples)
    assert all(len(line) <= longest or "; " not in line for line in lines)


@given(st.text(), st.lists(st.sampled_from([ACTED_IN, DIRECTED_BY, DIRECTED]), max_size=4))
def test_every_hop_puts_words_around_the_start(start: str, chain: list[Step]) -> None:
    phrase = verbalize(chain, f"<{start}>", TEXTS)
    assert phrase.count(f"<{start}>") >= 1
    assert len(phrase) >= len(start) + 2 + 10 * len(chain)


def test_the_shipped_texts_read_well_together() -> None:
    texts = read_spec("metaqa").relations
    for relation in texts:
        for step in (Step(relation), Step(relation, reverse=True)):
            assert "{}" not in verbalize([step, step], "X", texts)
            assert verbalize_question([step], "X", texts).endswith("?")
            assert relation not in verbalize_question([step], "X", texts)
