"""The roles of the ends of relations: in their names, their texts and in sentences."""

from __future__ import annotations

import pytest

from kgdb.graph.retrieval.results import RelationInfo
from kgdb.language import relation_words
from kgdb.language.text.roles import Frame, Role, frame_of, is_symmetric, joins_alike, read
from kgdb.language.text.roles.forms import Form, forms_of
from kgdb.language.text.roles.names import parse_name

pytestmark = pytest.mark.unit

NAME = "Xan"


def roles_in(sentence: str, relation: str) -> set[Role]:
    """The roles of ``*`` in a relation."""
    at = sentence.index("*")
    text = sentence.replace("*", NAME)
    readings = read(text, (at, at + len(NAME)))
    return {reading.roles[relation] for reading in readings if relation in reading.roles}


@pytest.mark.parametrize(
    ("sentence", "relation", "role"),
    [
        ("Who manages *?", "manage", "object"),
        ("Who is managed by *?", "manage", "subject"),
        ("Who does * manage?", "manage", "subject"),
        ("Who is *'s manager?", "manage", "object"),
        ("Whose manager is *?", "manage", "subject"),
        ("Who is * the manager of?", "manage", "subject"),
        ("Who reports to *?", "manage", "subject"),
        ("Who does * report to?", "manage", "object"),
        ("Who is the parent of *?", "parent", "object"),
        ("Who are *'s children?", "parent", "subject"),
        ("Who has * as a parent?", "parent", "subject"),
        ("Which children does * have?", "parent", "subject"),
        ("Which company bought *?", "acquire", "object"),
        ("Who was * taken over by?", "acquire", "object"),
        ("By whom was * acquired?", "acquire", "object"),
        ("The acquisition of * by whom?", "acquire", "object"),
        ("To which accounts did * transfer money?", "transfer", "subject"),
        ("Which accounts received money from *?", "transfer", "subject"),
        ("From which accounts did * receive money?", "transfer", "object"),
        ("Where is * located?", "contain", "object"),
        ("What is located in *?", "contain", "subject"),
        ("What is * part of?", "contain", "object"),
        ("What are the predators of *?", "eat", "object"),
        ("* suppliers", "supply", "object"),
        ("What phosphorylates *?", "verb:phosphorylat", "object"),
        ("What is bigger than *?", "verb:bigger", "object"),
        ("What is * bigger than?", "verb:bigger", "subject"),
        ("谁收购了*？", "acquire", "object"),
        ("*被谁收购？", "acquire", "object"),
        ("*收购了哪家公司？", "acquire", "subject"),
        ("*的经理是谁？", "manage", "object"),
        ("*是谁的经理？", "manage", "subject"),
        ("谁的父亲是*？", "parent", "subject"),
    ],
)
def test_the_grammar_of_a_sentence_gives_the_role_of_a_mention(
    sentence: str, relation: str, role: Role
) -> None:
    assert roles_in(sentence, relation) == {role}


@pytest.mark.parametrize(
    ("claim", "relation", "first", "second"),
    [
        ("Ann manages Bob.", "manage", "subject", "object"),
        ("Ann is Bob's manager.", "manage", "subject", "object"),
        ("Bob's manager is Ann.", "manage", "object", "subject"),
        ("The manager of Bob is Ann.", "manage", "object", "subject"),
        ("Bob was acquired by Ann.", "acquire", "object", "subject"),
        ("Ann is not a child of Bob.", "parent", "object", "subject"),
        ("Ann transferred 300 to Bob.", "transfer", "subject", "object"),
    ],
)
def test_both_mentions_of_a_claim_have_a_role(
    claim: str, relation: str, first: Role, second: Role
) -> None:
    spans = sorted((claim.index(name), claim.index(name) + 3) for name in ("Ann", "Bob"))
    for span, role in zip(spans, (first, second), strict=True):
        readings = read(claim, span, [other for other in spans if other != span])
        assert {r.roles[relation] for r in readings if relation in r.roles} == {role}


@pytest.mark.parametrize(
    "sentence", ["Who acquired companies from *?", "What does * look like?", "* and its manager?"]
)
def test_where_no_rule_applies_there_is_no_role(sentence: str) -> None:
    assert not roles_in(sentence, "acquire")
    assert not roles_in(sentence, "manage")


def test_a_grandparent_is_a_parent_twice() -> None:
    (reading,) = read("Who is the grandparent of Xan?", (26, 29))
    assert reading.roles["parent"] == "object"
    assert reading.count == 2


def test_the_kind_that_is_asked_for_is_incidental() -> None:
    readings = read("Which company transferred money to Xan?", (35, 38))
    said = [reading.roles for reading in readings if not reading.incidental]
    assert [roles.get("transfer") for roles in said] == ["object"]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("manages", "H manages T"),
        ("MANAGE", "H manages T"),
        ("reports_to", "H reports to T"),
        ("parentOf", "H is the parent of T"),
        ("is_parent_of", "H is the parent of T"),
        ("acquired", "H acquired T"),
        ("acquiredBy", "H is acquired by T"),
        ("TRANSFER", "H transfers to T"),
        ("depends_on", "H depends on T"),
        ("located_in", "H is located in T"),
        ("acted_in", "H acted in T"),
        ("born_in", "H is born in T"),
        ("bigger_than", "H is bigger than T"),
        ("capital", "the capital of H is T"),
        ("predecessor", "the predecessor of H is T"),
        ("has_child", "the child of H is T"),
        ("parentCompany", "the parent company of H is T"),
        ("consists of", "H consists of T"),
        ("in", "H is in T"),
        ("???", "the ??? of H is T"),
    ],
)
def test_the_name_of_a_relation_is_a_sentence(name: str, sentence: str) -> None:
    assert parse_name(relation_words(name)).sentence("H", "T") == sentence


@pytest.mark.parametrize(
    ("name", "relation", "head"),
    [
        ("manages", "manage", "subject"),
        ("managed_by", "manage", "object"),
        ("reports_to", "manage", "object"),
        ("child_of", "parent", "object"),
        ("child", "parent", "subject"),
        ("ownedBy", "own", "object"),
        ("NEXT", "precede", "subject"),
        ("收购", "acquire", "subject"),
        ("父亲", "parent", "object"),
        ("outcompetes", "verb:outcompet", "subject"),
        ("capital", "capital", "object"),
    ],
)
def test_the_name_gives_the_role_of_the_head(name: str, relation: str, head: Role) -> None:
    assert frame_of(name, None).head[relation] == head


def test_texts_count_before_the_name() -> None:
    texts = RelationInfo(
        "", 1, "the child of {}", "the parent of {}", "who is the child of {}?", None
    )
    assert frame_of("parent", texts).head["parent"] == "subject"
    assert frame_of("r17", texts).head["parent"] == "subject"


def test_a_synonym_is_read_as_a_name() -> None:
    taught = RelationInfo("R17", 1, None, None, None, None, synonyms=("managed by",))
    assert frame_of("R17", taught).head["manage"] == frame_of("managed by", None).head["manage"]


def test_a_text_made_from_a_name_is_read_as_the_name() -> None:
    texts = RelationInfo("", 1, None, "the influenced by of {}", None, None)
    assert frame_of("influenced", texts).head["influence"] == "subject"


def test_symmetric_relations_have_no_direction() -> None:
    assert is_symmetric(frame_of("married_to", None).head)
    assert not is_symmetric(frame_of("manages", None).head)
    assert frame_of("parent_of", None).asymmetric
    assert not frame_of("inhibits", None).asymmetric
    assert joins_alike({"manage"})
    assert not joins_alike({"write"})


def test_an_unknown_name_has_no_frame_that_a_sentence_could_meet() -> None:
    assert frame_of("P31", None) == Frame({"noun:p31": "object", "verb:p31": "subject"})


def test_the_forms_of_a_word_share_a_stem() -> None:
    for word in ("cite", "cites", "cited", "citing", "citation"):
        assert "cit" in {form.stem for form in forms_of(word)}
    assert Form("buy", "past") in forms_of("bought")
    assert Form("transfer", "past") in forms_of("transferred")
    assert {form.ending for form in forms_of("bed")} == {"base"}


@pytest.mark.parametrize(
    ("text", "relation", "roles"),
    [
        ("Located in Aland, Bport has a runway.", "contain", ("subject", "object")),
        ("Written by Aland, Bport is a novel.", "write", ("subject", "object")),
    ],
)
def test_a_participle_in_front_is_about_whom_the_comma_is_followed_by(
    text: str, relation: str, roles: tuple[str, str]
) -> None:
    first, second = ((text.index(name), text.index(name) + 5) for name in ("Aland", "Bport"))
    for mention, other, role in ((first, second, roles[0]), (second, first, roles[1])):
        found = [r.roles[relation] for r in read(text, mention, [other]) if relation in r.roles]
        assert found == [role]


def test_a_subdivision_name_is_not_said_to_be_a_part() -> None:
    assert "contain" not in frame_of("subdivisionName", None).head


@pytest.mark.parametrize(
    ("relation", "words"),
    [
        ("निर्देशक", "निर्देशक"),
        ("நடிகர்_பெயர்", "நடிகர் பெயர்"),
        ("e\u0301te\u0301_né", "e\u0301te\u0301 né"),
    ],
)
def test_marks_stay_in_the_words_of_a_relation(relation: str, words: str) -> None:
    assert relation_words(relation) == words
