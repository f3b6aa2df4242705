"""Which words refer to an earlier answer, and which to the question that has them."""

from __future__ import annotations

import pytest

from kgdb.methods.follow_ups.follow_up_words import referring_words
from kgdb.methods.follow_ups.lead import lead_of
from kgdb.methods.follow_ups.references import Mention, Reference, ReferenceFinder

pytestmark = pytest.mark.unit

NAMES = {"Tom Hanks": "Person", "Apollo 13": "Movie", "The Matrix": "Movie"}
NOUNS = {"movies": "Movie", "movie": "Movie", "actors": "Person", "people": "Person"}


def references(question: str) -> list[Reference]:
    words = referring_words()
    found = {name: (label, True) for name, label in NAMES.items()}
    found |= {noun: (label, False) for noun, label in NOUNS.items()}
    mentions = [
        Mention(at, at + len(text), frozenset({label}), is_name)
        for text, (label, is_name) in found.items()
        if (at := question.find(text)) >= 0 and (question + " ")[at + len(text)] in " ?"
    ]
    names = [(one.start, one.end) for one in mentions if one.is_name]
    lead = lead_of(question, names, words)
    finder = ReferenceFinder(lead.text.lower(), lead.begin, mentions, frozenset({"Person"}), words)
    return finder.references()


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("When was he born?", "he"),
        ("And who directed them?", "them"),
        ("Which movies did he act in?", "he"),
        ("Which movies did they act in?", "they"),
        ("Did Tom Hanks direct any of them?", "them"),
        ("Is Tom Hanks older than him?", "him"),
        ("Their actors", "their"),
        ("Did Tom Hanks direct its sequel?", "its"),
        ("Who directed that movie?", "that"),
        ("Which people directed them?", "them"),
    ],
)
def test_a_word_that_refers_to_the_last_answer(question: str, word: str) -> None:
    assert [one.text for one in references(question)] == [word]


@pytest.mark.parametrize(
    "question",
    [
        "Which actors directed a movie they acted in?",
        "Who directed The Matrix and who wrote it?",
        "When did Tom Hanks direct his first movie?",
        "Which people directed their own movies?",
        "Does Tom Hanks act in the movies he directed?",
        "Which movies have actors who also directed them?",
        "Which movies that people reviewed are old?",
    ],
)
def test_a_word_that_refers_to_the_question_itself(question: str) -> None:
    assert references(question) == []


@pytest.mark.parametrize(
    ("question", "refers"),
    [
        ("Which of them is the oldest?", "set"),
        ("How many of these acted?", "set"),
        ("Only those directed by Tom Hanks", "set"),
        ("What is the price of those?", "thing"),
        ("Who directed these movies?", "thing"),
    ],
)
def test_a_set_is_told_from_what_leads_on(question: str, refers: str) -> None:
    assert [one.refers for one in references(question)] == [refers]


def test_a_name_begins_no_lead() -> None:
    question = "And Then She Was Gone"
    lead = lead_of(question, [(0, len(question))], referring_words())
    assert not lead.opens
    assert lead.text == question


def test_places_stay_where_a_lead_is_blanked() -> None:
    lead = lead_of("And what about Apollo 13?", [(15, 24)], referring_words())
    assert lead.swaps
    assert lead.text.index("Apollo 13") == 15
