"""Which names of a question are found, and which words are left alone."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

import pytest
from fakes import MemoryDriver, memory_graph, named
from hypothesis import example, given
from hypothesis import strategies as st

from kgdb.graph import Graph, Link, link
from kgdb.graph.linking.mention_linking import MAX_WORDS, SAME_NAME
from kgdb.graph.linking.name_words import normalize

pytestmark = pytest.mark.unit


def link_one(graph: Graph, text: str) -> tuple[Link, ...]:
    """What one text names."""
    (links,) = link(graph, [text])
    return links


def found(names: list[str], question: str) -> list[str]:
    """The first entity of each link."""
    return [linked.entities[0].id for linked in link_one(named(*names), question)]


def test_a_mention_has_its_place_in_the_question() -> None:
    question = "Who directed the films that Ada Weir acted in?"
    (linked,) = link_one(named("Ada Weir", "Ada"), question)
    assert linked.mention == "Ada Weir"
    assert question[linked.start : linked.end] == "Ada Weir"
    assert [entity.name for entity in linked.entities] == ["Ada Weir"]


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("Ada Weir", "films of ADA WEIR"),
        ("Ada Weir", "ada weir"),
        ("Małgorzata Śnieżyńska", "What did Malgorzata Sniezynska write?"),
        ("Malgorzata Sniezynska", "What did Małgorzata Śnieżyńska write?"),
        ("Maj-Britt Sjöfors", "films by Maj-Britt Sjofors"),
        ("Maj-Britt Sjöfors", "films by Maj Britt Sjöfors"),
        ("Ørsted", "Who is Orsted?"),
        ("Don't Wake the Miller", "Who acted in Don't Wake the Miller?"),
        ("Don't Wake the Miller", "Who acted in Don’t Wake the Miller?"),
        ("Don’t Wake the Miller", "Who acted in Don't Wake the Miller?"),
        ("Who's There?", 'Who wrote "Who\'s There?"'),
        ("A Quiet Shore, a Long Winter", "who directed A Quiet Shore, a Long Winter"),
        ("第七个渡口", "Who directed 第七个渡口?"),
        ("第七个渡口", "第七个渡口的导演是谁?"),
        ("1953", "Who wrote 1953?"),
        ("AC/DC", "songs of AC/DC"),
        ("Москва", "Who lives in МОСКВА?"),
        ("M*A*S*H", "Who acted in M*A*S*H?"),
    ],
)
def test_case_marks_and_punctuation_do_not_matter(name: str, question: str) -> None:
    (linked,) = link_one(named(name, "Somebody Else"), question)
    assert [entity.name for entity in linked.entities] == [name]
    assert question[linked.start : linked.end] == linked.mention


@pytest.mark.parametrize(
    ("question", "mention"),
    [
        ("맑은 호수의 감독은 누구입니까?", "맑은 호수"),
        ("맑은 호수에서 누가 나와?", "맑은 호수"),
        ("누가 맑은 호수를 썼어?", "맑은 호수"),
        ("맑은 호수공원은 어디?", "맑은 호수"),
        ("[맑은 호수]의 감독은?", "맑은 호수"),
    ],
)
def test_letters_may_be_attached_to_a_name(question: str, mention: str) -> None:
    (linked,) = link_one(named("맑은 호수", "감"), question)
    assert linked.mention == mention


def test_a_name_with_the_letters_is_another_one() -> None:
    assert found(["호수", "호수의"], "호수의 감독은?") == ["호수의"]
    # Where words have capitals, a shorter name is no name of a longer word.
    assert found(["Anna", "Film"], "Who saw Annabel and the films?") == []


@pytest.mark.parametrize(
    ("name", "other"), [("गीली नदी", "गला नद"), ("കാറ്റ്", "കറ്റ"), ("ရေကန်", "ရကန")]
)
def test_vowel_signs_are_parts_of_words(name: str, other: str) -> None:
    assert normalize(name) != normalize(other)
    (linked,) = link_one(named(name), f"{name} ?")
    assert linked.mention == name


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_letters_may_come_apart_from_their_marks(form: str) -> None:
    question = unicodedata.normalize(form, "Who wrote Gödel, Zoë and Śnieżyńska?")  # type: ignore[arg-type]
    assert found(["Gödel", "Zoë", "Śnieżyńska", "del"], question) == ["Gödel", "Zoë", "Śnieżyńska"]
    assert found(["Gödel"], unicodedata.normalize(form, "Gödel")) == ["Gödel"]  # type: ignore[arg-type]


def test_the_longest_name_hides_those_inside_it() -> None:
    names = ["The Salt Ledger", "Salt", "Ledger", "Salt Ledger"]
    assert found(names, "Who wrote The Salt Ledger?") == ["The Salt Ledger"]


def test_of_overlapping_names_of_one_length_the_first_is_taken() -> None:
    assert found(["Ada Weir", "Weir Park"], "Is Ada Weir Park big?") == ["Ada Weir"]


def test_several_mentions_come_in_the_order_of_the_question() -> None:
    names = ["Ada Weir", "The Salt Ledger", "Ken"]
    question = "Did Ken meet Ada Weir before The Salt Ledger?"
    links = link_one(named(*names), question)
    assert [linked.mention for linked in links] == ["Ken", "Ada Weir", "The Salt Ledger"]
    assert all(one.end <= other.start for one, other in pairwise(links))


def test_a_common_word_that_is_an_entity_too_yields_to_a_name() -> None:
    assert found(["boxing", "Ken"], "Which films about boxing did Ken direct?") == ["Ken"]
    assert found(["boxing", "Ken"], "Which films are about boxing?") == ["boxing"]


def test_the_same_word_twice_is_two_mentions() -> None:
    links = link_one(named("Ken"), "Did Ken know Ken?")
    assert [linked.start for linked in links] == [4, 13]


def called() -> Graph:
    """Portugal has other names, one of which is the name of something else, and one Spain's."""
    driver = MemoryDriver([], names={name: name for name in ("Portugal", "Spain", "Lusitania")})
    driver.aliases = {
        "Portugal": ["Portuguese Republic", "Lusitania", "Iberia"],
        "Spain": ["Iberia"],
    }
    return memory_graph(driver)


@pytest.mark.parametrize(
    ("question", "entities"),
    [
        ("Which cities are in the Portuguese Republic?", ["Portugal"]),
        ("Which cities are in [portuguese republic]?", ["Portugal"]),
        ("Who sank the Lusitania?", ["Lusitania"]),
        ("Which countries are in Iberia?", ["Portugal", "Spain"]),
        ("Which cities are in the Portugese Republic?", ["Portugal"]),
        ("Which republics are there?", []),
    ],
)
def test_an_alias_names_what_nothing_has_for_its_name(question: str, entities: list[str]) -> None:
    found = [each.id for linked in link_one(called(), question) for each in linked.entities]
    assert sorted(found) == entities


@pytest.mark.parametrize(
    "question",
    [
        "Who directed [Heat]?",
        "[Heat]",
        "Did Ada Weir act in [Heat]?",
        "Who made [ heat ]?",
        "[[Heat]]",
        "[] of [ ] and [Heat]",
    ],
)
def test_brackets_point_a_name_out_and_hide_all_else(question: str) -> None:
    (linked,) = link_one(named("Heat", "Ada Weir"), question)
    assert [entity.name for entity in linked.entities] == ["Heat"]
    assert question[linked.start : linked.end] == linked.mention


@pytest.mark.parametrize("name", ["The Who", "AND", "It", "What"])
def test_brackets_reach_a_name_of_the_words_that_questions_are_made_of(name: str) -> None:
    assert found([name], f"Who is in {name}?") == []
    assert found([name], f"Who is in [{name}]?") == [name]


def test_a_typo_in_brackets_is_looked_for_in_the_brackets_only() -> None:
    names = ["Casablanca", "Ada Weir"]
    assert found(names, "Did Ada Wier act in [Casablenca]?") == ["Casablanca"]
    assert found(names, "Did Ada Weir act in [Xyzzyxyz]?") == []


def test_a_bracket_that_is_not_closed_is_punctuation() -> None:
    assert found(["Heat"], "Who directed [Heat?") == ["Heat"]


@pytest.mark.parametrize(
    ("name", "question", "mention"),
    [
        ("Casablanca", "Who directed Casablenca?", "Casablenca"),
        ("Ada Weir", "Which films is Ada Wier in?", "Ada Wier"),
        ("The Salt Ledger", "who wrote the salt leger", "the salt leger"),
        ("Małgorzata Śnieżyńska", "Films by Malgorzata Sniezinska", "Malgorzata Sniezinska"),
    ],
)
def test_a_misspelt_name_is_found_when_no_name_is_there_exactly(
    name: str, question: str, mention: str
) -> None:
    (linked,) = link_one(named(name, "Unrelated"), question)
    assert ([entity.name for entity in linked.entities], linked.mention) == ([name], mention)
    assert question[linked.start : linked.end] == mention


def test_a_misspelt_name_is_not_looked_for_beside_an_exact_one() -> None:
    assert found(["Casablanca", "Ken"], "Did Ken direct Casablenca?") == ["Ken"]


def test_what_is_only_a_little_alike_is_no_name() -> None:
    assert found(["Ballroom Blitz"], "Who was in the ball game?") == []


def test_of_misspelt_names_the_most_alike_wins() -> None:
    assert found(["Casablanca", "Casablanc Nights"], "Who directed Casablenca?") == ["Casablanca"]


@pytest.mark.parametrize(
    "question",
    [
        "Who is it?",
        "which of the other people",
        "?!?",
        "...",
        "",
        "   ",
        '"',
        "\\",
        "[]",
        "[?!]",
        "´`^~",
        "⑴ ½ ℌ",
        "🙂",
        "\0",
    ],
)
def test_a_question_without_a_name_links_nothing(question: str) -> None:
    assert link_one(named("Who", "The", "People", "?", "Ada Weir"), question) == ()


@pytest.mark.parametrize(
    "name",
    [
        "Salt AND Pepper",
        "OR NOT Ken",
        'The "Best" Film',
        '"quoted"',
        "back\\slash",
        "trailing\\",
        "name:value",
        "f(x) = {y}",
        "a* b? c~2",
        "+plus -minus",
        "x && y || z",
        "[1 TO 5]",
        "/regex/",
        "^boost^4",
        "100%",
        "* : *",
    ],
)
def test_a_name_that_is_lucene_syntax_is_found_as_it_is(name: str) -> None:
    driver = MemoryDriver([], names={name: name, "Somebody Else": "Somebody Else"})
    links = link_one(memory_graph(driver), f"Who made {name}?".replace("[", "").replace("]", ""))
    # A name without letters cannot be found; the others are found exactly, at the first attempt.
    assert [linked.entities[0].name for linked in links] == [name] * bool(normalize(name))
    assert len(driver.sent) == 1


@pytest.mark.parametrize(
    "question",
    [
        "000\u3040",
        "Heat ゛ 000",
        "・ウォーリー・",
        "゠ 1234 ゠",
        "\ufe70\ufe70 Kenn",
        "\ufe70'kenn",
    ],
)
def test_what_leaves_no_letter_of_a_word_is_not_looked_up(question: str) -> None:
    driver = MemoryDriver([], names={"x": "x"})
    assert link_one(memory_graph(driver), question) == ()
    (misspelt,) = driver.sent[-1][1]["misspelt"]
    assert all(re.fullmatch(r"\w+~1", term) for term in misspelt.split(" OR ")), misspelt


@pytest.mark.parametrize("name", ["ウォール・イー", "000\u3040", "Heat ゛"])
def test_signs_among_kana_are_punctuation(name: str) -> None:
    assert found([name], f"Who made [{name}]?") == [name]
    assert normalize(name) == normalize(re.sub("[・\u3040゛]", " ", name))


@pytest.mark.slow
@given(st.text(max_size=60))
@example("000\u3040")
def test_any_question_gives_queries_that_lucene_can_parse(question: str) -> None:
    links = link_one(named("Ada Weir", "x"), question)
    assert all(question[linked.start : linked.end] == linked.mention for linked in links)
    assert all(a.end <= b.start for a, b in pairwise(links))


@given(st.text(st.characters(categories=["L"], max_codepoint=0x24F), min_size=1, max_size=12))
def test_a_name_is_compared_whatever_its_case_and_form(name: str) -> None:
    for form in ("NFC", "NFD"):
        for written in (name, name.upper(), name.lower()):
            assert normalize(unicodedata.normalize(form, written)) == normalize(name)


def test_entities_of_one_name_come_in_a_fixed_order_and_number() -> None:
    names = {f"e{i}": "Mercury" if i % 2 else "MERCURY" for i in range(SAME_NAME + 4)}
    (linked,) = link_one(memory_graph(MemoryDriver([], names=names)), "Where is Mercury?")
    # Those written as in the question come first.
    ids = [entity.id for entity in linked.entities]
    assert ids[:2] == ["e1", "e1001"]
    assert {names[id_] for id_ in ids[:502]} == {"Mercury"}
    assert len(set(ids)) == SAME_NAME
    assert linked.truncated


@pytest.mark.parametrize(
    "mention", ["Parking Area", "parking area", "[Parking Area]", "Parkinh Area"]
)
def test_all_entities_of_one_name_are_found(mention: str) -> None:
    names = {f"p{i}": "Parking Area" for i in range(266)}
    names |= {f"other{i}": f"Parking Area {i}" for i in range(40)}
    driver = MemoryDriver([], names=names)
    (linked,) = link_one(memory_graph(driver), f"Which crimes occurred at {mention}?")
    assert {entity.id for entity in linked.entities} == {f"p{i}" for i in range(266)}
    assert not linked.truncated
    assert [name for name, _ in driver.sent] == ["entities/named"] * 2


@pytest.mark.parametrize("same", [1, 5])
def test_names_that_few_have_take_one_round_trip(same: int) -> None:
    """Though many others have the name as a part."""
    names = {f"h{i}": "Heat" for i in range(same)} | {f"o{i}": f"Heat {i}" for i in range(60)}
    driver = MemoryDriver([], names=names)
    (linked,) = link_one(memory_graph(driver), "Who directed Heat?")
    assert len(linked.entities) == same
    assert [name for name, _ in driver.sent] == ["entities/named"]


def test_a_name_may_have_many_words_but_not_any_number() -> None:
    longest = " ".join(f"w{i}" for i in range(MAX_WORDS))
    assert found([longest], f"Who wrote {longest}?") == [longest]
    assert found([f"{longest} more"], f"Who wrote {longest} more?") != [longest]


@pytest.mark.parametrize("name", ["Ada Weir", "Ada Wier", "[Ada Wier]", "Somebody"])
def test_all_names_are_looked_up_in_one_round_trip(name: str) -> None:
    """Misspelt ones and those of other texts too."""
    driver = MemoryDriver([], names={"Ada Weir": "Ada Weir", "Heat": "Heat"})
    texts = [f"Who directed the films that {name} acted in?", "?", "Who directed Heat?", "Heatt"]
    found = link(memory_graph(driver), texts)
    assert [driver.sent[0][0]] == [name for name, _ in driver.sent] == ["entities/named"]
    assert [[each.entities[0].name for each in links] for links in found] == [
        ["Ada Weir"] * (name != "Somebody"), [], ["Heat"], ["Heat"],
    ]  # fmt: skip


@pytest.mark.parametrize("apostrophe", ["'", "’"])
def test_a_possessive_names_its_owner_beside_another_name(apostrophe: str) -> None:
    driver = MemoryDriver([], names={"Ada Weir": "Ada Weir", "Drama": "Drama"})
    links = link_one(memory_graph(driver), f"Who directed Ada Weir{apostrophe}s Drama films?")
    assert [linked.mention for linked in links] == ["Ada Weir", "Drama"]
