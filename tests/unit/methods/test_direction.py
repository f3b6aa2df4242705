"""Chains that run as a question says, or against it."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

import pytest

from kgdb.methods.chains.direction import Direction
from kgdb.methods.context import QuestionContext
from kgdb.values import Step

pytestmark = pytest.mark.unit

MANAGES, MANAGED_BY = Step("manages"), Step("manages", reverse=True)
PARENT, CHILD = Step("parent_of", reverse=True), Step("parent_of")
WROTE = Step("written_by", reverse=True)

NO_TEXTS: Mapping[str, Any] = {}
CONTEXT = cast(QuestionContext, SimpleNamespace(graph=SimpleNamespace(relations=NO_TEXTS)))


def direction(question: str, *one_kind: str) -> Direction:
    """The direction as seen from ``Xan``."""
    at = question.index("Xan")
    return Direction.of(question, (at, at + 3), one_kind=frozenset(one_kind))


def test_the_words_agree_with_one_of_two_directions() -> None:
    manager = direction("Who manages Xan?")
    assert manager.agrees(CONTEXT, [MANAGED_BY])
    assert manager.contradicts(CONTEXT, [MANAGES])
    assert direction("Who does Xan manage?").contradicts(CONTEXT, [MANAGED_BY])


def test_a_chain_of_which_one_step_is_not_named_is_unclear() -> None:
    assert direction("Who manages Xan?").agrees(CONTEXT, [MANAGED_BY, PARENT]) is None
    assert direction("Who manages Xan?").agrees(CONTEXT, [PARENT]) is None


def test_a_word_is_about_one_step_or_as_many_as_it_counts() -> None:
    assert direction("Who manages Xan?").contradicts(CONTEXT, [MANAGED_BY, MANAGED_BY])
    grandparent = direction("Who is the grandparent of Xan?")
    assert grandparent.agrees(CONTEXT, [PARENT, PARENT])
    assert grandparent.contradicts(CONTEXT, [PARENT])
    assert grandparent.contradicts(CONTEXT, [CHILD, CHILD])
    twice = direction("Who is Xan's manager's manager?")
    assert twice.agrees(CONTEXT, [MANAGED_BY, MANAGED_BY])
    assert twice.contradicts(CONTEXT, [MANAGED_BY])


def test_between_different_kinds_the_words_decide_only_if_asked() -> None:
    ungrammatical = "which films were directed and Xan written by"
    assert not direction(ungrammatical).contradicts(CONTEXT, [WROTE])
    assert direction(ungrammatical, "written_by").contradicts(CONTEXT, [WROTE])
    assert direction(ungrammatical).agrees(CONTEXT, [WROTE], any_kind=True) is False


def test_what_is_shared_leads_there_and_back() -> None:
    assert direction("Who has the same manager as Xan?").readings == ()


def test_a_relation_without_direction_is_never_excluded() -> None:
    married = direction("Who is Xan married to?", "married_to")
    assert married.agrees(CONTEXT, [Step("married_to", reverse=True)]) is None


def test_all_words_are_said_by_the_steps() -> None:
    assert direction("Which boss manages Xan?").is_said(CONTEXT, [MANAGED_BY])
    assert not direction("Who manages Xan?").is_said(CONTEXT, [MANAGED_BY, PARENT])
    assert not direction("Who manages the parent of Xan?").is_said(CONTEXT, [MANAGED_BY])
    assert direction("Who manages the parent of Xan?").is_said(CONTEXT, [PARENT, MANAGED_BY])
