"""What the pronouns of a text mean, where that is clear."""

from __future__ import annotations

import re

import pytest

from kgdb.methods.claims_of_text.name_references import (
    Name,
    NameReferences,
    Resolved,
    may_refer,
    names_in,
)
from kgdb.methods.claims_of_text.sentence_cutting import cut

pytestmark = pytest.mark.unit

LABELS = {
    "Ada Weir": "Person",
    "Bo Lund": "Person",
    "Dune": "Film",
    "Heat": "Film",
    "Rome": "City",
    "English": "Language",
    "drama": "Genre",
}


def known(words: str, labels: dict[str, str]) -> list[Name]:
    found = re.finditer("|".join(LABELS), words)
    own = [(each, labels.get(each[0])) for each in found]
    return names_in(
        words, [Name(e[0], *e.span(), frozenset([label] if label else [])) for e, label in own]
    )


def last(text: str, labels: dict[str, str] = LABELS) -> Resolved:
    """The last sentence of a text, as it is judged."""
    references = NameReferences(list(dict.fromkeys(labels.values())))
    resolved = Resolved("")
    for sentence in cut(text):
        words = sentence.words
        resolved = references.resolved(words, known(words, labels), resolved)
        assert all(
            resolved.words[n.start : n.end] == n.text for n in resolved.names if not resolved.reason
        )
    return resolved


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Ada Weir directed Dune. She wrote it.", "Ada Weir wrote Dune."),
        ("Ada Weir directed Dune. She also wrote Heat. She was tall.", "Ada Weir was tall."),
        ("Dune was directed by Ada Weir. She was tall.", "Ada Weir was tall."),
        ("Dune is a film. Its writer is Bo Lund.", "Dune's writer is Bo Lund."),
        ("Dune is an English drama. It was long.", "Dune was long."),
        ("Dune was long. The film was made in Rome.", "Dune was made in Rome."),
        ("Dune was long. Ada Weir acted in the film.", "Ada Weir acted in Dune."),
        ("Dune was long. The film's writer is Bo Lund.", "Dune's writer is Bo Lund."),
        ("The film Dune was long. This film was good.", "Dune was good."),
        ("“Dune” was long. It was good.", "Dune was good."),
        ("Ada Weir was born in Rome. She was tall.", "Ada Weir was tall."),
        ("Ada Weir was born in Norbury in May. She was tall.", "Ada Weir was tall."),
        ("## Ada Weir\n\nShe was tall.", "Ada Weir was tall."),
        (
            "Dune was long. Written by Bo Lund, this film stars Ada Weir.",
            "Written by Bo Lund, Dune stars Ada Weir.",
        ),
        ("Dune was long. In the film Ada Weir plays herself.", "In Dune Ada Weir plays herself."),
        ("Dune was long. Heat, the film, was good.", "Heat, the film, was good."),
        ("- **Ada Weir**: She was tall.", "Ada Weir was tall."),
        ("Dune was long, and it was good.", "Dune was good."),
        ("Dune was directed by Bo Lund, and Ada Weir acted in it.", "Ada Weir acted in Dune."),
        ("Ada Weir acted in Dune; she was tall.", "Ada Weir was tall."),
        ("Dune was long. The film's writer wrote The Heat.", "Dune's writer wrote The Heat."),
        ("Kermit directed Dune. He was tall.", "Kermit was tall."),
        # What needs no name from elsewhere.
        ("Dune was long. Ada Weir and her brother met.", "Ada Weir and her brother met."),
        ("Dune was long. The film Heat was good.", "The film Heat was good."),
        ("Dune was long. The film of the year is Heat.", "The film of the year is Heat."),
        ("Dune was long. It is known that Heat was good.", "It is known that Heat was good."),
        ("Ada Weir slept. Those who slept were tired.", "Those who slept were tired."),
        ("Dune was long. The oldest film is Heat.", "The oldest film is Heat."),
    ],
)
def test_clear_references_are_names(text: str, asked: str) -> None:
    assert last(text) == Resolved(asked, last(text).names, None, last(text).earlier)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Ada Weir met Bo Lund. He slept.", "'He' may mean 'Ada Weir' or 'Bo Lund'"),
        ("Dune was long. Heat was good. They won.", "'They' may mean 'Heat' or something else"),
        ("He slept.", "'He' may mean something that the sentence before does not name"),
        (
            "Dune was long. He slept.",
            "'He' may mean something that the sentence before does not name",
        ),
        ("Ada Weir met Kermit. She slept.", "'She' may mean 'Ada Weir' or 'Kermit'"),
        ("Ada Weir has a brother. He slept.", "'He' may mean 'Ada Weir' or somebody else"),
        ("Ada Weir slept. Bo Lund met her.", "'her' may mean 'Bo Lund' or somebody else"),
        ("Dune preceded it.", "'it' may mean 'Dune' or something else"),
        # Who was a woman before is no man now.
        ("Ada Weir acted. She was ill. He left.", "'He' may mean 'Ada Weir' or somebody else"),
        # Who is only named in passing.
        (
            "Ada Weir directed Dune. Heat was directed by Bo Lund. Dune was long, and he slept.",
            "'he' may mean 'Bo Lund' or 'Ada Weir'",
        ),
        (
            "Bo Lund directed Dune. It was written by Ada Weir. He slept.",
            "'He' may mean 'Ada Weir' or 'Bo Lund'",
        ),
    ],
)
def test_unclear_references_are_told(text: str, reason: str) -> None:
    assert last(text).reason == reason


@pytest.mark.parametrize(
    "before",
    [
        "Ada Weir's sister was ill.",
        "The sister of Ada Weir was ill.",
        "Ada Weir's sister-in-law was ill.",
        "Ada Weir Junior was ill.",
        "Ada Weir Jr. was ill.",
        "Ada Weir lookalikes were ill.",
        "The fans of Ada Weir was ill.",
        "Someone like Ada Weir came.",
        "Nobody but Ada Weir came.",
        "The queen admired Ada Weir.",
        "Ada Weir followed the queen.",
        "Ada Weir won a role for a sister.",
        "Ada Weir was a star and had a sister.",
        "Ada Weir, her sister and a man came.",
        "Ada Weir has sister Kermit.",
        "A biographer of Ada Weir died.",
        "Is Ada Weir rich? What about Bo Lund?",
        "| Ada Weir | Bo Lund |",
        "Dune’s sequel failed.",
        "The sequel to Dune failed.",
        "A parody of Dune was made.",
        "The novel Dune sold.",
        "Dune 2 was long.",
        "Dune has a sequel.",
        "Dune was followed by another film.",
    ],
)
@pytest.mark.parametrize("word", ["She", "It", "The film", "One", "The former", "Also"])
def test_nothing_but_the_name_itself_is_meant_by_a_name(before: str, word: str) -> None:
    assert last(f"{before}\n\n{word} directed Heat.").reason


@pytest.mark.parametrize("before", ["saw the sequel of", "acted in sequels of", "wrote a book on"])
def test_the_name_of_a_part_is_not_what_is_spoken_of(before: str) -> None:
    assert last(f"Ada Weir {before} Dune. It was long.").reason


@pytest.mark.parametrize(
    "words",
    [
        "Ada Weir acted in this.",
        "Bo Lund wrote that one.",
        "Directed by Bo Lund.",
        "A film directed by Bo Lund.",
        "Then directed Heat.",
        "Director of Heat.",
    ],
)
def test_what_a_sentence_leaves_open_is_not_guessed(words: str) -> None:
    assert last(f"Dune was long. {words}").reason


def test_without_labels_every_name_may_be_meant() -> None:
    assert last("Dune was long. It was good.", {}).words == "Dune was good."
    assert last("Ada Weir directed Dune. She slept.", {}).reason is not None


def test_chinese_pronouns_are_names_where_one_can_be_meant() -> None:
    references = NameReferences(["Person", "Film"])
    ada = Name("阿达", 0, 2, frozenset({"Person"}))
    before = references.resolved("阿达", [ada], Resolved(""))
    assert references.resolved("她出生于1901年。", [], before).words == "阿达出生于1901年。"
    assert references.resolved("这部电影很长。", [], before).reason is not None


def test_sentences_that_refer_to_nothing_are_not_looked_up() -> None:
    assert not may_refer("Dune was directed by Ada Weir.")
    assert may_refer("The film was long.")
