"""Questions cut into nested parts, and how hops fit them."""

from __future__ import annotations

import numpy as np
import pytest
from fakes import BagOfWords

from kgdb.methods.chains.decoupling import (
    PLACEHOLDER,
    Decoupling,
    Floats,
    GivenSubqueries,
    SpanSegmentation,
    extend,
)

pytestmark = pytest.mark.unit

QUESTION = "Who directed the films that Ada Weir acted in?"

# Two wordings per hop, as the method has them: a noun phrase and a question.
DIRECTOR = ["the director of this", "who directed this?"]
DIRECTED = ["the films directed by this", "which films did this direct?"]
STARRING = ["the films starring this", "which films has this acted in?"]


def decoupling(question: str, mention: str, at: int | None = None) -> SpanSegmentation:
    start = question.index(mention) if at is None else at
    return SpanSegmentation(question, start, start + len(mention))


def parts(question: str, mention: str, at: int | None = None) -> set[str]:
    """Every part that is compared with hops."""
    return set(decoupling(question, mention, at).texts)


def fit(cut: Decoupling, *hops: list[str]) -> float:
    """How well a chain of hops fits the whole question."""
    encoder = BagOfWords()
    so_far: Floats | None = None
    vectors = encoder.encode(cut.texts)
    for hop in cut.similarity(vectors, [encoder.encode(hop) for hop in hops]):
        so_far = extend(so_far, hop)
    assert so_far is not None
    return float(so_far[-1])


def test_parts_are_nested_around_the_mention() -> None:
    found = parts(QUESTION, "Ada Weir")
    assert "films that this acted in?" in found
    assert "Who directed the this" in found
    assert "that this acted" in found
    assert "Who directed the films that this acted in?" in found
    assert all(part.count(PLACEHOLDER) == 1 for part in found)
    assert not any("Ada" in part for part in found)


@pytest.mark.parametrize(
    ("question", "mention", "asking"),
    [
        (QUESTION, "Ada Weir", "Who"),
        ("The films of Ada Weir were directed by whom?", "Ada Weir", "whom"),
        ("Ada Weir 演过的电影是谁导演的?", "Ada Weir", "谁"),
        ("List the films that Ada Weir acted in", "Ada Weir", "List"),
    ],
)
def test_the_word_that_asks_is_in_the_outermost_part_alone(
    question: str, mention: str, asking: str
) -> None:
    # Every part that holds it reaches to both ends of the question.
    head, tail = question.split(mention)
    outermost = [part for part in parts(question, mention) if asking in part]
    assert outermost
    for part in outermost:
        before, after = part.split(PLACEHOLDER)
        assert head.startswith(before)
        assert tail.endswith(after)


def test_a_word_inside_the_mention_does_not_ask() -> None:
    found = parts("films like Who Framed Us by Ada", "Who Framed Us")
    assert "like this" in found
    assert "this by" in found


def test_a_question_opens_with_what_asks_and_not_with_a_relative_pronoun_later() -> None:
    found = parts("Which films did the man who married Ada Weir direct?", "Ada Weir")
    assert "man who married this" in found


def test_a_chain_in_the_right_order_fits_better_than_in_the_wrong_one() -> None:
    cut = decoupling(QUESTION, "Ada Weir")
    assert fit(cut, STARRING, DIRECTOR) > fit(cut, DIRECTED, DIRECTOR)
    assert fit(cut, STARRING, DIRECTOR) > fit(cut, DIRECTOR, STARRING)


def test_one_hop_is_compared_with_the_whole_question() -> None:
    encoder = BagOfWords()
    cut = decoupling("Who directed Heat?", "Heat")
    whole = encoder.encode(["Who directed this?"])[0]
    expected = float(np.mean(encoder.encode(DIRECTOR) @ whole))
    assert fit(cut, DIRECTOR) == pytest.approx(expected)


def test_the_parts_of_a_chain_add_up() -> None:
    """Two hops, each a part word for word, fit as well as can be: the sum of both."""
    cut = decoupling("Who directed films starring Ada Weir", "Ada Weir")
    assert fit(cut, ["films starring this"], ["Who directed this"]) == pytest.approx(2.0)
    assert fit(cut, ["films starring this"], ["Who wrote this"]) < 2.0


def test_a_part_on_both_sides_of_another_costs_a_little() -> None:
    around = decoupling("Who does films Ada made direct", "Ada")
    beside = decoupling("Who does direct films Ada made", "Ada")
    hops = ["films this made"], ["Who does direct this"]
    assert fit(beside, *hops) == pytest.approx(2.0)
    assert 1.8 < fit(around, *hops) < 2.0


@pytest.mark.parametrize(
    ("question", "mention"),
    [
        ("Ada Weir acted in which films?", "Ada Weir"),
        ("Which films starred Ada Weir", "Ada Weir"),
        ("Ada Weir", "Ada Weir"),
        ("Ada Weir?", "Ada Weir"),
        ("  Ada Weir  ", "Ada Weir"),
        ("(Ada Weir)", "Ada Weir"),
        ("Is Ada Weir's dog old?", "Ada Weir"),
        ("Weird?", "Weir"),
        ("第七个渡口", "第七个渡口"),
        ("第七个渡口的导演是谁?", "第七个渡口"),
        ("谁导演了第七个渡口", "第七个渡口"),
    ],
)
def test_a_mention_may_stand_anywhere(question: str, mention: str) -> None:
    start = question.index(mention)
    masked = question[:start] + PLACEHOLDER + question[start + len(mention) :]
    assert masked.strip() in {part.strip() for part in parts(question, mention)}
    cut = decoupling(question, mention)
    assert np.isfinite(fit(cut, DIRECTOR))
    assert not np.isnan(fit(cut, DIRECTOR, STARRING))


def test_of_a_name_that_occurs_twice_the_chosen_place_counts() -> None:
    question = "Did Ada direct Ada?"
    assert "this direct Ada?" in parts(question, "Ada", at=4)
    assert "Ada direct this" in parts(question, "Ada", at=15)


def test_a_chain_of_more_hops_than_there_are_parts_does_not_fit() -> None:
    cut = decoupling("Ada Weir", "Ada Weir")
    assert fit(cut, DIRECTOR, STARRING) == -np.inf


def test_hops_fit_only_inside_one_another() -> None:
    cut = decoupling("the films of Ada Weir here", "Ada Weir")
    encoder = BagOfWords()
    (first, later), *_ = cut.similarity(encoder.encode(cut.texts), [encoder.encode(STARRING)])
    assert first.shape == (len(later),)
    assert np.isfinite(first).all()
    # Inside is one way only, and nothing is inside itself.
    assert not (np.isfinite(later) & np.isfinite(later.T)).any()
    assert np.isfinite(later[-1, :-1]).all()


@pytest.mark.parametrize("words", [40, 400, 4000])
def test_a_long_question_has_no_more_parts_than_a_middling_one(words: int) -> None:
    filler = " ".join(f"w{i}" for i in range(words // 2))
    question = f"{filler} Ada Weir {filler}"
    found = parts(question, "Ada Weir")
    assert len(found) < 1200
    assert question.replace("Ada Weir", PLACEHOLDER) in found


@pytest.mark.parametrize("length", [350, 900, 3000])
@pytest.mark.parametrize("entities", [1, 3, 12])
def test_a_list_of_names_leaves_an_encoder_as_much_to_read_whatever_its_length(
    length: int, entities: int
) -> None:
    question = ("Who directed " + "Ada Weir and " * 300)[:length] + "?"
    at = question.index("Ada Weir", length // 2)
    cut = SpanSegmentation(question, at, at + len("Ada Weir"), entities)
    read = sum(min(len(text), 1000) for text in cut.texts)
    assert entities * read < 60_000
    assert any(text.startswith("Who directed") and text.endswith("?") for text in cut.texts)


def test_every_part_is_encoded_once() -> None:
    texts = decoupling(QUESTION, "Ada Weir").texts
    assert len(texts) == len(set(texts))


def test_hops_explain_written_sub_queries_one_after_the_other() -> None:
    written = GivenSubqueries(["films starring this", "Who directed this"])
    assert fit(written, ["films starring this"], ["Who directed this"]) == pytest.approx(2.0)
    assert fit(written, ["Who directed this"], ["films starring this"]) < 1.5


def test_a_chain_must_have_a_hop_for_every_written_sub_query() -> None:
    written = GivenSubqueries(["films starring this", "Who directed this"])
    assert fit(written, ["films starring this"]) == -np.inf
    assert fit(written, STARRING, DIRECTOR, DIRECTED) == -np.inf
