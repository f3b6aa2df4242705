"""The second stage of the choice of chains: which chains are read, and what it changes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from fakes import BagOfWords, memory_graph
from films import TWO_HOPS, films

from kgdb.language import BiEncoderReranker
from kgdb.methods import Reasoner, Resources, create
from kgdb.values import Answer

pytestmark = pytest.mark.unit


class Believer:
    """Believes chains in whose words a word stands."""

    name = "believer (cross-encoder)"

    def __init__(self, word: str) -> None:
        self.word = word
        self.read: list[tuple[str, str]] = []

    def scores(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        self.read += pairs
        return [10.0 * (self.word in text) for _, text in pairs]


def answer(method: str, believer: Believer | None, **options: object) -> Answer:
    encoder = BagOfWords()
    tools = Resources(
        memory_graph(films()),
        encoder,
        None,
        BiEncoderReranker(encoder),
        chain_reranker=believer,
    )
    return Reasoner(create(method, options), tools).answer(TWO_HOPS)


def names(found: Answer) -> set[str]:
    return {answered.entity.name for answered in found.entities}


@pytest.mark.parametrize("method", ["refkg", "rok", "gotr"])
def test_every_method_with_chains_orders_the_best_few_anew(method: str) -> None:
    usual = answer(method, None)
    believer = Believer("wr")
    believed = answer(method, believer, rerank_weight=5.0)
    assert names(usual) != names(believed)
    assert "Barnaby Crake" in names(believed)
    (read,) = [stage for stage in believed.trace if "reranker" in stage.output]
    assert read.output["reranker"] == "believer (cross-encoder)"
    assert "rerank" not in {stage.name for stage in usual.trace}


def test_a_chain_is_read_in_both_wordings_beside_the_masked_question() -> None:
    believer = Believer("wr")
    answer("refkg", believer, reranked=3)
    assert len(believer.read) == 2 * 3
    assert {question for question, _ in believer.read} == {TWO_HOPS.replace("Ada Weir", "this")}


def test_the_shares_of_the_chains_of_a_mention_are_one_together() -> None:
    found = answer("refkg", Believer("wr"))
    (stage,) = [stage for stage in found.trace if stage.name == "rerank"]
    shares = [chain["reranked"] for chain in stage.output["reranked"]]
    assert sum(shares) == pytest.approx(1.0, abs=1e-3)
    scores = [chain["score"] for chain in stage.output["reranked"]]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("options", [{"reranked": 0}, {"reranked": 1}, {"rerank_weight": 0.0}])
def test_switched_off_nothing_changes(options: dict[str, object]) -> None:
    assert answer("refkg", Believer("wr"), **options).entities == answer("refkg", None).entities


def test_a_baseline_keeps_the_order_of_its_paper() -> None:
    believer = Believer("wr")
    answer("kggpt", believer)
    assert believer.read == []
