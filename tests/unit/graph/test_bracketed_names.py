"""Names with a bracket at the end, found without it; and words that say what a name is."""

from __future__ import annotations

import pytest
from fakes import MemoryDriver, memory_graph, named

from kgdb.graph import Graph, Link, link
from kgdb.graph.linking.proper_names import unknown_names, without_bracket

pytestmark = pytest.mark.unit


def links_of(graph: Graph, text: str) -> tuple[Link, ...]:
    """What one text names."""
    (links,) = link(graph, [text])
    return links


def found(names: list[str], question: str) -> list[str]:
    """The names of all entities of all links."""
    return [each.name for one in links_of(named(*names), question) for each in one.entities]


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        ("Queen (band)", ["Queen"]),
        ("Paris(Texas)", ["Paris"]),
        ("Queen_(band)", ["Queen"]),
        ("水星（行星）", ["水星"]),
        ("Ada [II]", ["Ada"]),
        ("Heat (film) (1995)", ["Heat (film)", "Heat"]),
        ("Iron (III) oxide", []),
        ("(Untitled)", []),
        ("Queen", []),
        ("?! (band)", []),
        ("((", []),
        ("", []),
    ],
)
def test_a_bracket_at_the_end_is_taken_off(name: str, bare: list[str]) -> None:
    assert list(without_bracket(name)) == bare


@pytest.mark.parametrize(
    ("name", "question", "mention"),
    [
        ("Queen (band)", "Which songs did Queen write?", "Queen"),
        ("Queen (band)", "which songs did queen write?", "queen"),
        ("Paris (Texas)", "How many people live in Paris?", "Paris"),
        ("Mercury (planet)", "What is Mercury's mass?", "Mercury"),
        ("The Long Road (novel)", "Who wrote The Long Road?", "The Long Road"),
        ("水星（行星）", "谁发现了水星?", "水星"),
        ("Queen (band)", "Who founded [queen]?", "queen"),
        ("Queen (band)", "Who founded Queen (band)?", "Queen (band)"),
        ("Heat (film) (1995)", "Who directed Heat (film)?", "Heat (film)"),
    ],
)
def test_a_name_is_found_without_its_bracket(name: str, question: str, mention: str) -> None:
    (linked,) = links_of(named(name, "Somebody (else)"), question)
    assert ([entity.name for entity in linked.entities], linked.mention) == ([name], mention)
    assert question[linked.start : linked.end] == mention
    assert not linked.namesakes


def test_a_name_without_bracket_wins() -> None:
    assert found(["Queen", "Queen (band)"], "Who crowned Queen?") == ["Queen"]
    assert found(["Queen", "Queen (band)"], "Who founded Queen (band)?") == ["Queen (band)"]


def test_an_alias_wins_over_a_name_without_its_bracket() -> None:
    driver = MemoryDriver([], names={"Freddie": "Freddie", "Queen (band)": "Queen (band)"})
    driver.aliases = {"Freddie": ["Queen"]}
    (linked,) = links_of(memory_graph(driver), "Where was Queen born?")
    assert linked.ids == ("Freddie",)


def test_namesakes_are_told() -> None:
    names = ["Mercury (planet)", "Mercury (element)", "Mercury Records"]
    (linked,) = links_of(named(*names), "Who discovered Mercury?")
    assert linked.namesakes == ("Mercury (element)", "Mercury (planet)")


def test_several_entities_of_one_name_are_no_namesakes() -> None:
    driver = MemoryDriver([], names={"p1": "Depot (north)", "p2": "Depot (north)"})
    (linked,) = links_of(memory_graph(driver), "Who works at Depot?")
    assert (linked.ids, linked.namesakes) == (("p1", "p2"), ())


def test_a_common_word_does_not_stand_for_a_name_with_a_bracket_beside_another() -> None:
    names = ["Films (band)", "boxing"]
    assert found(names, "which films are about boxing?") == ["boxing"]
    assert found(names, "who plays in films?") == ["Films (band)"]


def test_a_name_with_a_bracket_is_found_among_many_that_contain_it() -> None:
    """Beyond the first candidates, in a second round trip; a common word takes none."""
    names = {f"q{i}": f"Queen {i:03d}" for i in range(300)} | {"band": "Queen (band)"}
    driver = MemoryDriver([], names=names)
    (linked,) = links_of(memory_graph(driver), "Which songs did Queen write?")
    assert linked.ids == ("band",)
    assert [name for name, _ in driver.sent] == ["entities/named"] * 2
    driver.sent.clear()
    links_of(memory_graph(driver), "is there a queen?")
    assert [name for name, _ in driver.sent] == ["entities/named"]


CLASSES = ["Song", "City", "Company", "Music Album"]


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("Harbour Lights", "Who wrote the song Harbour Lights?"),
        ("Harbour Lights (song)", "Who wrote the song Harbour Lights?"),
        ("Harbour Lights", "Who wrote the song Harbor Lights?"),
        ("Harbour Lights", 'Who wrote the song "Harbor Lights"?'),
        ("Kaldnes", "In which country is the city Kaldnes?"),
        ("Kaldnes", "In which country is the city Kaldness?"),
        ("Bolt", "Who founded the company Bolt?"),
        ("21", "Who wrote the music album 21?"),
        ("Blue Room", "Who recorded the music album Blue Room?"),
        ("Blue Room", "Who recorded the music album Blue Roon?"),
    ],
)
def test_a_class_does_not_take_the_mention_of_an_instance(name: str, question: str) -> None:
    assert found([*CLASSES, name], question) == [name]


@pytest.mark.parametrize(
    "question",
    [
        "Who wrote the song Zzyzx?",
        "Which songs did Zzyzx write?",
        "In which country is the city Zzyzx?",
        "Who recorded the music album Zzyzx?",
    ],
)
def test_a_class_does_not_stand_for_a_name_that_the_graph_has_not(question: str) -> None:
    assert found([*CLASSES, "Harbour Lights"], question) == []


@pytest.mark.parametrize(
    ("question", "name"),
    [("Who wrote a song about rain?", "Song"), ("Is there a music album?", "Music Album")],
)
def test_a_class_without_a_name_behind_it_is_a_mention(question: str, name: str) -> None:
    assert found(CLASSES, question) == [name]


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("Who wrote Heat?", ["Heat"]),
        ("who wrote heat?", []),
        ("Heat is by Ken", ["Ken"]),
        ("Did I meet The Ken?", ["Ken"]),
        ("Wer ist Österreichs König?", ["Österreichs", "König"]),
    ],
)
def test_unknown_names_have_a_capital(text: str, unknown: list[str]) -> None:
    places = unknown_names(text, [], frozenset({"did", "i", "the", "is", "by"}))
    assert [text[start:end] for start, end in places] == unknown
    assert unknown_names(text, [(0, len(text))], frozenset()) == []


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who designed C++?", ["C++"]),
        ("Who designed C#?", ["C#"]),
        ("Who designed C?", ["C"]),
        ("who designed c++ and c#?", ["C++", "C#"]),
        ("Who designed [C++]?", ["C++"]),
        ("Who designed C*?", ["C", "C#", "C++"]),
    ],
)
def test_signs_make_another_name(question: str, names: list[str]) -> None:
    assert found(["C", "C++", "C#", "Java"], question) == names


@pytest.mark.parametrize("question", ["Who made Heat?", "Who made Heat!", "who made heat"])
def test_other_punctuation_makes_no_other_name(question: str) -> None:
    assert found(["Heat", "Heat!"], question) == ["Heat", "Heat!"]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who discovered the planet Mercury?", ["Mercury (planet)"]),
        ("Who discovered the element Mercury?", ["Mercury (element)"]),
        ("Who sings in the rock band Mercury?", ["Mercury (rock band)"]),
        (
            "Who discovered the moon Mercury?",
            ["Mercury (element)", "Mercury (planet)", "Mercury (rock band)"],
        ),
    ],
)
def test_the_word_before_may_be_what_is_in_the_bracket(question: str, names: list[str]) -> None:
    assert (
        found(["Mercury (planet)", "Mercury (element)", "Mercury (rock band)"], question) == names
    )
