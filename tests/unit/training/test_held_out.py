"""No question that a model is measured on is in a corpus."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kgdb.evaluation import (
    HOPS,
    Claim,
    Question,
    read_factkg,
    read_metaqa,
    read_webqsp,
)
from kgdb.lab.training.corpus import HeldOut, RelationRow, overlap
from kgdb.lab.training.corpus.metaqa_chains import metaqa_chain
from kgdb.values import Step

pytestmark = pytest.mark.unit


def question(text: str, id_: str = "1", *entities: str) -> Question:
    return Question(id_, text, frozenset({"x"}), entities=entities)


def row(question: str, *entities: str) -> RelationRow:
    return RelationRow(question, ("r",), ("the r of this",), entities=entities)


@pytest.mark.parametrize(
    "text",
    [
        "who directed [Heat]",
        "Who directed Heat?",
        "who directed the film [Heat]?",
        "who  directed [héat]",
    ],
)
def test_the_same_question_in_another_spelling_is_held_out(text: str) -> None:
    assert question(text) in HeldOut([question("who directed [Heat]")])


def test_another_question_about_the_entity_is_held_out_only_by_entities() -> None:
    other, dev = question("who wrote [Heat]"), [question("who directed [Heat]")]
    assert other not in HeldOut(dev)
    assert other in HeldOut(dev, entities=True)
    assert question("who wrote [Ronin]") not in HeldOut(dev, entities=True)
    assert question("who wrote it", "2", "Heat") in HeldOut(dev, entities=True)


def test_a_corpus_is_checked_by_its_rows() -> None:
    dev = [
        question("who directed the movie [Heat]?", "a"),
        question("who wrote [Heat]", "b"),
        question("who wrote [Ronin]", "c"),
    ]
    both = overlap([row("who directed this", "Heat")], dev)
    assert (both.by_text, both.by_entity) == (("a",), ("a", "b"))
    assert overlap([row("who directed this", "Speed")], dev).by_entity == ()


def test_the_placeholder_may_be_a_word_of_the_question() -> None:
    dev = [question("is this the film that [Heat] is after", "a")]
    assert overlap([row("is this the film that this is after", "Heat")], dev).by_text == ("a",)


def test_claims_are_held_out_by_their_words_and_entities() -> None:
    dev = [Claim("1", "Heat was directed by Michael Mann.", "SUPPORTED", entities=("Heat",))]
    same = Claim("2", "heat was directed by michael mann", "SUPPORTED")
    other = Claim("3", "Ronin was directed by Michael Mann.", "REFUTED")
    assert same in HeldOut(dev)
    assert other not in HeldOut(dev)
    assert replace(other, entities=("Heat",)) in HeldOut(dev, entities=True)


def records(file: Path) -> list[dict[str, Any]]:
    with gzip.open(file, "rt", encoding="utf-8") as opened:
        return [json.loads(line) for line in opened]


def training_questions(data: Path) -> list[Question | Claim]:
    """All that a corpus may be made from, of every set."""
    return [
        *(each for hops in HOPS for each in read_metaqa(data, hops, "train")),
        *(
            question(row["question"], row["id"], *filter(None, [row.get("subject_name")]))
            .pointed_out()
            for row in records(data / "simplequestions" / "train.jsonl.gz")
        ),
        *(
            question(row["utterance"], str(n), row["url"].rpartition("/")[2].replace("_", " "))
            for n, row in enumerate(records(data / "webquestions" / "train.jsonl.gz"))
        ),
        *read_factkg(data, "train"),
    ]  # fmt: skip


def held_out_questions(data: Path) -> list[Question | Claim]:
    """All that a model is measured on, of every set."""
    return [
        *(each for hops in HOPS for each in read_metaqa(data, hops, "dev")),
        *read_webqsp(data, "dev"),
        *(
            question(row["question"], row["ID"], *row["topic_entity"].values()).pointed_out()
            for row in records(data / "cwq" / "dev.jsonl.gz")
        ),
        *read_factkg(data, "dev"),
    ]


def row_of(asked: Question | Claim) -> RelationRow:
    """The row that a corpus has of it: its first mention, or else its first word, is masked."""
    mention = re.search(r"\[([^\[\]]+)\]", asked.text) or re.match(r"\s*(\S+)", asked.text)
    assert mention is not None
    text = f"{asked.text[: mention.start()]}this{asked.text[mention.end() :]}"
    return row(text.replace("[", "").replace("]", ""), mention[1], *asked.entities)


@pytest.mark.slow
@pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.endurance)])
def test_no_question_of_any_set_that_is_measured_is_in_a_corpus_of_any_set(
    data: Path, every: int
) -> None:
    """A part of all training splits, with some questions of the others smuggled in."""
    dev: Any = held_out_questions(data)[::every]
    smuggled = dev[::100]
    training = [*training_questions(data)[:: 12 * every], *smuggled]
    assert set(overlap(map(row_of, smuggled), dev).by_text) >= {each.id for each in smuggled}
    held_out = HeldOut(dev)
    kept = [each for each in training if each not in held_out]
    assert not {each.id for each in kept} & {each.id for each in smuggled}
    assert len(kept) > 0.95 * len(training)
    assert overlap(map(row_of, kept), dev).by_text == ()

    held_out = HeldOut(dev, entities=True)
    apart = [each for each in kept if each not in held_out]
    assert 0 < len(apart) < len(kept)
    found = overlap((row_of(each) for each in apart if "[" in each.text), dev)
    assert (found.by_text, found.by_entity) == ((), ())


def test_kinds_of_metaqa_are_chains() -> None:
    assert metaqa_chain("actor_to_movie_to_year") == (
        Step("starred_actors", reverse=True),
        Step("release_year"),
    )
    assert metaqa_chain("movie_to_tags") == (Step("has_tags"),)
    assert [metaqa_chain(each) for each in (None, "", "movie", "actor_to_year", "a_to_movie")] == (
        [None] * 5
    )
