"""Every word that each method says to a language model, in English and in Chinese.

The transcripts in ``tests/data/prompts`` are whole prompts, as methods put them together: what
changes them is seen here. After a change that is meant, ``KGDB_WRITE_TRANSCRIPTS=1`` writes them
anew; read the difference before you commit it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from fakes import memory_graph, reasoner
from films import TWO_HOPS, films
from scripted import ScriptedModel

from kgdb.errors import ModelError
from kgdb.lab.ranking.rank_prompt import rank_request
from kgdb.lab.texts.dialogue_sets import DialogueQuestion
from kgdb.language import Completion, CompletionRequest
from kgdb.language.text import prompts
from kgdb.language.text.prompts import Language, prompt

pytestmark = pytest.mark.unit

TRANSCRIPTS = Path(__file__).parents[2] / "data" / "prompts"
ASKED: dict[Language, tuple[str, str]] = {
    "en": (TWO_HOPS, "Ken Amagiri directed The Salt Ledger."),
    "zh": ("谁导演了 Ada Weir 主演的电影？", "Ken Amagiri 执导了 The Salt Ledger。"),
}
NAMES = ["Ada Weir", "Ken Amagiri"]
REPLIES: dict[str, Any] = {
    "answers": NAMES[1:],
    "reasoning": "Ada Weir starred in it.",
    "names": NAMES,
    "chosen": [{"number": 2, "score": 0.9}],
    "questions": ["who directed <topic entity>?", "which films star <topic entity>?"],
    "subqueries": [
        {"query": "the films starring Ada Weir", "entities": ["Ada Weir"]},
        {"query": "who directed the films?", "entities": []},
    ],
}
"""What is replied to a schema with these properties."""


class Speaking(ScriptedModel):
    """Replies to each schema with something, to free prompts with a thought, and tells scores."""

    def _reply(self, ask: CompletionRequest) -> Completion | ModelError:
        reply = super()._reply(ask)
        if isinstance(reply, ModelError):
            return reply
        if ask.choices:
            return replace(reply, scores=tuple(-float(len(choice)) for choice in ask.choices))
        properties = (ask.schema or {}).get("properties", {})
        given = {name: REPLIES[name] for name in properties if name in REPLIES}
        if given:
            return replace(reply, text=json.dumps(given, ensure_ascii=False))
        return replace(reply, text=reply.text or "Ken Amagiri directed films.")


@dataclass(frozen=True)
class Case:
    """What a method is asked, under the name of its transcript."""

    method: str
    options: Mapping[str, Any] = field(default_factory=dict)
    claim: bool = False
    replies: Mapping[str, str] = field(default_factory=dict)
    asked: Mapping[Language, str] = field(default_factory=dict)


READ = {"inference": "read"}
CASES = {
    "llm": Case("llm"),
    "llm_claim": Case("llm", claim=True),
    "cot": Case("cot"),
    "cot_claim": Case("cot", claim=True),
    "neighbors": Case("neighbors"),
    "rok": Case("rok", READ | {"widen": "never"}),
    "rok_choosing": Case("rok", {"inference": "choose"}),
    "gotr": Case("gotr", READ),
    "refkg": Case("refkg"),
    "refkg_paper": Case("refkg", READ | {"decouple": "llm", "navigate": "llm", "width": 1}),
    "refkg_claim": Case(
        "refkg", {"judge": "llm", "decouple": "llm", "navigate": "llm", "width": 2}, claim=True
    ),
    # The database in memory refuses the query, so that the model is asked for its repair.
    "text2cypher": Case("text2cypher", replies={"Cypher": "MATCH (n) RETURN n.nmae"}),
    "form": Case(
        "auto",
        replies={"": "No form."},
        asked={"en": "How many gigs did Ada Weir land?", "zh": "Ada Weir 接了多少份工作？"},
    ),
    "mindmap": Case("mindmap"),
    "text": Case("dialogue", {"form": "text", "described": 1}),
    "tog": Case("tog", {"width": 1}),
    "kggpt": Case("kggpt"),
}


def transcript(requests: Sequence[CompletionRequest]) -> str:
    """The prompts, and in which form each is to be answered."""
    parts = []
    for number, ask in enumerate(requests, 1):
        if ask.choices:
            form = "one of " + " | ".join(ask.choices)
        elif ask.schema:
            names = ask.schema.get("properties", ask.schema.get("$defs", {}))
            form = "JSON with " + ", ".join(names)
        else:
            form = "a text"
        parts.append(f"== {number}: {form} ==\n{ask.prompt}\n")
    return "\n".join(parts)


def said(case: Case, language: Language) -> str:
    model = Speaking(case.replies)
    # So that there are neighbours beside the paths between the two who are named.
    graph = memory_graph(films(("Snow Whale", "starred_actors", "Ken Amagiri")))
    asked = reasoner(case.method, graph, model, **case.options)
    question, claim = ASKED[language]
    question = case.asked.get(language, question)
    outcome = asked.verify(claim) if case.claim else asked.answer(question)
    assert outcome.error is None
    return transcript(model.asked)


@pytest.mark.parametrize("language", list(ASKED))
@pytest.mark.parametrize("name", list(CASES))
def test_a_method_says_what_its_transcript_has(name: str, language: Language) -> None:
    path = TRANSCRIPTS / f"{name}.{language}.txt"
    now = said(CASES[name], language)
    if os.environ.get("KGDB_WRITE_TRANSCRIPTS"):
        path.write_text(now, encoding="utf-8")
    assert now == path.read_text(encoding="utf-8")


def test_every_template_is_in_a_transcript(monkeypatch: pytest.MonkeyPatch) -> None:
    used: set[str] = set()
    template = prompts._template

    def noted(language: Language, name: str) -> str:
        used.add(name)
        return template(language, name)

    monkeypatch.setattr(prompts, "_template", noted)
    for case in CASES.values():
        said(case, "en")
    every = {path.stem for path in Path(next(iter(prompts.__path__))).glob("en/*.txt")}
    # Servers are told the form of a reply beside the prompt, and a judge is no method: below.
    assert used == {name for name in every if not name.startswith("served_")} - {"rank"}


@pytest.mark.parametrize("language", list(ASKED))
def test_a_judge_is_asked_what_its_transcript_has(language: Language) -> None:
    path = TRANSCRIPTS / f"rank.{language}.txt"
    reference = {"en": "Ken Amagiri directed it.", "zh": "是 Ken Amagiri 执导的。"}
    asked = DialogueQuestion("1", ASKED[language][0], frozenset(), reference=reference[language])
    now = transcript([rank_request(asked, NAMES)])
    if os.environ.get("KGDB_WRITE_TRANSCRIPTS"):
        path.write_text(now, encoding="utf-8")
    assert now == path.read_text(encoding="utf-8")


SERVED: dict[str, tuple[str, str]] = {
    "served_choices": (
        "It is\n\nChoices:\n- a\n- b\n\nReply with exactly one of the choices, word for word.",
        "It is\n\n选项：\n- a\n- b\n\n请只回复其中一个选项，一字不差。",
    ),
    "served_next": (
        "Which of the choices continues the text best?\n\nText: It is …\n\n"
        "Choices:\n- a\n- b\n\nReply with exactly one of the choices, word for word.",
        "下面哪一项最适合接在这段文字之后？\n\n文字：It is ……\n\n"
        "选项：\n- a\n- b\n\n请只回复其中一个选项，一字不差。",
    ),
    "served_continue": (
        "Continue the text below. Write only what comes next.\n\nIt is",
        "请接着下面的文字往下写，只写后面的内容。\n\nIt is",
    ),
    "served_json": (
        "It is\n\nReply with JSON alone, in the form that this JSON schema describes:\n{}",
        "It is\n\n请只回复 JSON，格式要符合下面的 JSON Schema：\n{}",
    ),
    "served_again": (
        "That is not in the form that was asked for. Reply again in that form, and with nothing "
        "else.",
        "这不是所要求的格式。请按要求的格式重新回复，不要写别的内容。",
    ),
}


@pytest.mark.parametrize("name", list(SERVED))
def test_what_servers_are_told_beside_the_prompt(name: str) -> None:
    given = {"prompt": "It is", "choices": "- a\n- b", "schema": "{}"}
    assert (prompt(name, "en", **given), prompt(name, "zh", **given)) == SERVED[name]
