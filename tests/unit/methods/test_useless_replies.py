"""Whatever a model replies to whatever it is asked, each method ends with an answer or a reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fakes import BagOfWords, memory_graph
from films import TWO_HOPS, films
from outcomes import names
from scripted import ScriptedModel

from kgdb.language import Completion, CompletionRequest
from kgdb.methods import Reasoner, Resources, all_methods, create

pytestmark = [pytest.mark.unit, pytest.mark.slow]

CLAIM = "Ken Amagiri directed Snow Whale."
OPTIONS: dict[str, dict[str, Any]] = {
    "refkg": {"decouple": "llm", "navigate": "llm", "inference": "read", "judge": "llm"},
    "rok": {"inference": "read"},
    "gotr": {"inference": "read"},
}
READERS = ("bm25", "embedding")
"""They ask what all others ask last, and read facts of a whole graph, which is not in memory."""

REPLIES = [
    "",
    "[" * 20_000,
    '{"questions": ' * 3_000,
    "null",
    "[]",
    "{}",
    '"answers"',
    '{"answers": null, "names": null, "questions": null, "subqueries": null, "chosen": null}',
    '{"answers": {"a": 1}, "names": "x", "questions": 1, "subqueries": {"a": 1}, "chosen": "x"}',
    '{"answers": [[]], "names": [{}], "questions": [1], "subqueries": [1], "chosen": [[]]}',
    '{"subqueries": [{"query": 1, "entities": 2}], "chosen": [{"number": "1", "score": null}]}',
    '{"relevant": {"1": 2}}',
]


class Parrot(ScriptedModel):
    """Replies the same to everything; of choices it takes the first."""

    def __init__(self, reply: str) -> None:
        super().__init__()
        self.reply = reply

    def _reply(self, ask: CompletionRequest) -> Completion:
        return Completion(ask.choices[0] if ask.choices else self.reply, 1, 1)


def resources(model: ScriptedModel, folder: Path | None = None) -> Resources:
    words = BagOfWords()
    graph = memory_graph(films())
    return Resources(graph, words, model, home=folder, examples=folder)


@pytest.mark.parametrize("method", [name for name in all_methods() if name not in READERS])
@pytest.mark.parametrize("reply", REPLIES, ids=lambda reply: reply[:20])
def test_no_reply_breaks_a_method(method: str, reply: str, tmp_path: Path) -> None:
    for options in ({}, OPTIONS.get(method, {})):
        given = {key: str(value) for key, value in options.items()}
        reasoner = Reasoner(create(method, given), resources(Parrot(reply), tmp_path))
        (answer,) = reasoner.answers([TWO_HOPS])
        assert answer.error is None
        assert answer.entities or answer.reason


@pytest.mark.parametrize("method", ["refkg", "kggpt", "llm", "cot"])
@pytest.mark.parametrize("reply", REPLIES, ids=lambda reply: reply[:20])
def test_no_reply_breaks_a_verdict(method: str, reply: str, tmp_path: Path) -> None:
    given = {key: str(value) for key, value in OPTIONS.get(method, {}).items()}
    (verdict,) = Reasoner(create(method, given), resources(Parrot(reply), tmp_path)).verdicts(
        [CLAIM]
    )
    assert verdict.error is None
    assert verdict.label


@pytest.mark.parametrize(
    ("method", "task", "options"),
    [
        ("refkg", "decouple", {"decouple": "llm"}),
        ("gotr", "atomic", {"shots": "100"}),
        ("gotr", "got", {"shots": "100"}),
    ],
)
def test_more_examples_than_a_model_reads(
    method: str, task: str, options: dict[str, str], tmp_path: Path
) -> None:
    reply = "word " * 60
    lines = [
        json.dumps({"question": f"who directed film {n}?", "reply": reply, "entities": []})
        for n in range(90)
    ]
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / f"{task}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    said = {"nothing else": json.dumps({"answers": ["Ken Amagiri"]})}
    model = ScriptedModel(said, context=2_000)
    reasoner = Reasoner(create(method, options), resources(model, tmp_path))
    (answer,) = reasoner.answers([TWO_HOPS])
    assert answer.error is None
    assert "Ken Amagiri" in names(answer)
    assert all(len(ask.prompt.split()) + ask.max_tokens <= model.context for ask in model.asked)
    assert any("examples were left out" in note for note in answer.notes)
    small = ScriptedModel(said, context=500)
    (answer,) = Reasoner(create(method, options), resources(small, tmp_path)).answers([TWO_HOPS])
    assert "of 90 examples were left out" in " ".join(answer.notes) or answer.error
