"""What a model is tuned on is what it is asked: prompts from rows of the relation corpus."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from kgdb.errors import UsageError
from kgdb.lab.training.corpus import RelationRow
from kgdb.lab.training.corpus.relation_prompts import conversations_from_rows
from kgdb.language import Completion, CompletionRequest
from kgdb.methods.answering.preference import PMIScorer
from kgdb.methods.chains.relation_choice import choose_relations

pytestmark = pytest.mark.unit

PHRASES = {
    "directed_by": "the director of this",
    "^directed_by": "the films directed by this",
    "starred_actors": "the actors in this",
    "^starred_actors": "the films starring this",
    "written_by": "the writer of this",
    "has_genre": "the genre of this",
    "release_year": "the release year of this",
}
SINGLE = [
    RelationRow(f"what about the {step} of this?", (step,), (phrase, f"{phrase}?"), graph="films")
    for step, phrase in PHRASES.items()
]
TWO_HOPS = RelationRow(
    "who directed the films that this acted in?",
    ("^starred_actors", "directed_by"),
    ("the director of the films starring this", "who directed the films starring this?"),
    (("the writer of the films starring this", "…"), ("the director of this", "…")),
    "films",
    "made up",
)


class Asked:
    """A context that keeps what a language model is asked."""

    def __init__(self, question: str, reply: str) -> None:
        self.question = question
        self.requests: list[CompletionRequest] = []
        self.notes: list[str] = []
        self.note = self.notes.append
        self.llm = SimpleNamespace(complete=self._complete)
        self._reply = reply

    async def _complete(self, request: CompletionRequest) -> Completion:
        self.requests.append(request)
        return Completion(self._reply, 0, 0)


def asked(question: str, reply: str) -> Any:
    return Asked(question, reply)


def test_a_chain_continues_the_question_as_when_its_phrase_is_scored() -> None:
    made, _ = conversations_from_rows([TWO_HOPS], tasks=["chains"], licence="CC0")
    (row,) = made
    ctx = asked(TWO_HOPS.question, row.reply)
    asyncio.run(PMIScorer().preferences(ctx, TWO_HOPS.question, row.choices))
    (request,) = ctx.requests
    assert [(turn.role, turn.content) for turn in row.messages] == [("user", request.prompt)]
    assert (row.continues, row.choices) == (request.continues, request.choices)
    assert row.reply == TWO_HOPS.wordings[0]
    assert (row.graph, row.source, row.licence) == ("films", "made up", "CC0")
    own = replace(TWO_HOPS, licence="MIT")
    made, _ = conversations_from_rows([own], tasks=["chains"], licence="CC0")
    assert made[0].licence == "MIT"


def test_each_hop_is_chosen_from_a_list_as_when_a_question_is_answered() -> None:
    made, told = conversations_from_rows([*SINGLE, TWO_HOPS], tasks=["relations"], width=3)
    first, second = made[-2:]
    for row, reached in ((first, []), (second, ["the films starring this"])):
        menu = [json.loads(choice)["relations"][0] for choice in row.choices]
        ctx = asked(TWO_HOPS.question, row.reply)
        chosen = asyncio.run(choose_relations(ctx, TWO_HOPS.question, reached, menu, 3))
        (request,) = ctx.requests
        assert row.messages[0].content == request.prompt
        assert chosen == json.loads(row.reply)["relations"]
        assert (ctx.notes, row.continues) == ([], False)
    assert json.loads(first.reply)["relations"] == ["the films starring this"]
    assert json.loads(second.reply)["relations"] == ["the director of this"]
    assert told.made == {"relations": len(SINGLE) + 2}


def test_both_prompts_of_a_question_belong_together() -> None:
    made, _ = conversations_from_rows([*SINGLE, TWO_HOPS])
    groups = {row.group for row in made if row.messages[0].content.find(TWO_HOPS.question) >= 0}
    assert groups == {TWO_HOPS.question}


def test_a_wrong_chain_with_the_words_of_the_right_one_is_no_choice() -> None:
    row = RelationRow("q of this", ("a",), ("the director of this",), (("the director of this",),))
    made, _ = conversations_from_rows([row], tasks=["chains"])
    assert made[0].choices == ()


def test_the_phrase_of_an_unseen_chain_is_put_together() -> None:
    three = RelationRow(
        "…", ("^starred_actors", "directed_by", "^directed_by"), ("…",), (), "films"
    )
    made, _ = conversations_from_rows([*SINGLE, three], tasks=["relations"], width=3)
    assert "\n- the director of the films starring this\n" in made[-1].messages[0].content


def test_hops_that_the_rows_do_not_put_into_words_are_counted() -> None:
    made, told = conversations_from_rows([TWO_HOPS], tasks=["relations"])
    assert made == []
    assert told.dropped == {"no row has the phrase of this relation alone": 2}
    made, told = conversations_from_rows(SINGLE[:2], tasks=["relations"], width=3)
    assert told.dropped == {"too few relations to choose from": 2}


def test_a_seed_draws_the_same_and_another_does_not() -> None:
    rows = [*SINGLE, TWO_HOPS]
    assert conversations_from_rows(rows, seed=1)[0] == conversations_from_rows(rows, seed=1)[0]
    assert conversations_from_rows(rows, seed=1)[0] != conversations_from_rows(rows, seed=2)[0]


def test_rows_that_contradict_each_other_are_counted() -> None:
    wrong = RelationRow(SINGLE[0].question, ("written_by",), ("the writer of this",), (), "films")
    elsewhere = RelationRow(SINGLE[0].question, ("author",), ("the author of this",), (), "books")
    _, told = conversations_from_rows([*SINGLE, SINGLE[0], wrong, elsewhere])
    assert told.contradictions == 1


def test_an_unknown_task_is_refused() -> None:
    with pytest.raises(UsageError, match="'decouple'"):
        conversations_from_rows(SINGLE, tasks=["decouple"])
