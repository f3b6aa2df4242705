"""Claims that call a relation by its name."""

from __future__ import annotations

import pytest
from fakes import memory_graph, reasoner
from test_checks import World, texts

from kgdb.graph import Link
from kgdb.methods.verification.named_relations import is_word_of
from kgdb.values import Entity, Verdict

pytestmark = pytest.mark.unit


def verify(claim: str) -> Verdict:
    return reasoner("refkg", memory_graph(World()), None).verify(claim)


def mention(text: str) -> Link:
    return Link(text, 0, len(text), (Entity(text, text),))


@pytest.mark.parametrize(
    ("text", "named"),
    [("the key", True), ("key people", True), ("Keys", True), ("people key", False), ("a", False)],
)
def test_a_mention_may_be_a_word_of_a_relation(text: str, named: bool) -> None:
    assert is_word_of(mention(text), ["keyPeople"]) is named


def test_a_relation_called_by_its_name_needs_no_similar_wording() -> None:
    verdict = verify("Ken Amagiri got an award.")
    assert verdict.label == "SUPPORTED"
    assert texts(verdict.supporting) == {("Ken Amagiri", "Golden Reel")}
    assert verify("Ken Amagiri did not get an award.").label == "REFUTED"
