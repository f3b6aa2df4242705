"""Measures of answers as texts: key entities by kind, and BERTScore by a stand-in library."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from clinic import CHINESE, CLINIC, chinese_clinic, clinic
from evaluated import RUN, Canned
from fakes import opened, reasoner

from kgdb.errors import UsageError
from kgdb.evaluation import Asking, Question, evaluate, measure, read_rows
from kgdb.lab.texts import (
    BertScore,
    DialogueQuestion,
    DialogueRow,
    DialogueSummary,
    EntityKinds,
    KeyEntities,
    TextMeasures,
    text_measures,
)
from kgdb.optional_packages import installation
from kgdb.values import Answer, Entity, Triple

pytestmark = pytest.mark.unit

FACTS = [Triple(Entity(h, h), r, Entity(t, t)) for h, r, t in CLINIC]
KINDS = EntityKinds(FACTS)
ILL = "Doctor, I have a cough, a fever and chest pain. What could it be?"
GOLD = frozenset({"flu", "Tamiflu", "blood tests", "Warfarin"})
REFERENCE = "You may have the flu. Take Tamiflu, not Warfarin. A blood test will tell."


def matched(text: str, gold: frozenset[str] = GOLD, question: str = ILL) -> KeyEntities:
    return KINDS.measure(question, gold, text)


def test_each_kind_is_counted_by_itself() -> None:
    found = matched("It may be Flu [1]. You need Oseltamivir (Tamiflu) [2][3].")
    assert found.by_kind == {"disease": 1.0, "medication": 1.0, "test": 0.0}
    assert found.mean == pytest.approx(2 / 3)
    assert found.of_all == 0.5
    assert (found.outside, found.unjoined) == (1, 0)


def test_what_the_answer_lists_counts_like_what_it_says() -> None:
    entities = [Entity("Flu", "Flu"), Entity("Blood test", "Blood test")]
    assert KINDS.measure(ILL, GOLD, None, entities).by_kind == {
        "disease": 1.0, "medication": 0.0, "test": 1.0,
    }  # fmt: skip


@pytest.mark.parametrize(
    "wrong",
    [
        "It may be influenza.",
        "It may be flux.",
        "Test your blood.",
        "Take Tamifluu.",
        "A blood testing [1]",
        "Blood was tested, and a test of blood was made.",
    ],
)
def test_a_matcher_that_lets_a_similar_name_pass_is_caught(wrong: str) -> None:
    assert not any(matched(wrong).by_kind.values())


def test_a_name_inside_a_longer_name_of_the_graph_is_not_named() -> None:
    gold = frozenset({"Pulmonary hypertension", "Hypertension"})
    facts = [
        *FACTS,
        Triple(Entity("Pain", "Pain"), "possible_disease", Entity("P", "Hypertension")),
    ]
    facts += [
        Triple(Entity("Pain", "Pain"), "possible_disease", Entity("Q", "Pulmonary hypertension"))
    ]
    found = EntityKinds(facts).measure("", gold, "It is pulmonary hypertension.")
    assert found.by_kind == {"disease": 0.5}


def test_what_the_graph_has_of_another_disease_is_not_covered() -> None:
    # Albuterol is in the graph, for asthma, which nobody named.
    found = matched("Take albuterol.", frozenset({"flu", "Albuterol"}), "I feel bad.")
    assert found.by_kind == {"disease": 0.0}
    assert found.in_graph == 0.5
    assert found.unjoined == 1
    asked = matched("Take albuterol.", frozenset({"Albuterol"}), "What do I need for asthma?")
    assert asked.by_kind == {"medication": 1.0}


CHINESE_FACTS = [
    Triple(Entity(h, h), r, Entity(t, t))
    for h, r, t in [
        *CHINESE,
        ("感冒", "检查", "血常规"),
        ("感冒", "别名", "伤风"),
        ("感冒", "并发症", "肺炎"),
        ("哮喘", "药品", "咳嗽"),
        ("病", "症状", "痛"),
    ]
]
CHINESE_KINDS = EntityKinds(CHINESE_FACTS)


def test_a_reference_names_the_diseases_medications_and_tests_of_the_graph() -> None:
    # A symptom is none of the three, though one disease has it as a medication; nor is one sign.
    reference = "这个病是感冒引起的咳嗽,不是肺炎,查个血常规,吃点感冒灵,不用沙丁胺醇气雾剂"
    named = CHINESE_KINDS.named_in(reference)
    assert {name.replace(" ", "") for name in named} == {
        *("感冒", "肺炎", "血常规", "感冒灵", "沙丁胺醇")
    }  # fmt: skip
    assert CHINESE_KINDS.named_in("多喝水") == frozenset()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("可能是感冒，做血常规检查，吃感冒灵", (1.0, 1.0, 1.0)),
        ("可能是伤风", (1.0, 0.0, 0.0)),  # another name of the same
        ("吃感冒灵", (0.0, 1.0, 0.0)),  # a disease inside the name of a medication is not named
        ("可能是冒感，查血常", (0.0, 0.0, 0.0)),
        (None, (0.0, 0.0, 0.0)),
    ],
)
def test_a_chinese_dialogue_is_measured_by_the_names_in_its_reference(
    text: str | None, expected: tuple[float, ...]
) -> None:
    question = DialogueQuestion(
        "1", "我咳嗽", frozenset(), reference="感冒了,查血常规,吃感冒灵", gold_in_reference=True
    )
    answer = Answer(question.text, "clinic", "auto", text=text)
    fields = TextMeasures(CHINESE_KINDS).of(question, answer).to_fields()
    assert (fields["disease"], fields["medication"], fields["test"]) == expected
    assert fields["gold_outside"] == 0
    silent = replace(question, gold_in_reference=False)
    assert TextMeasures(CHINESE_KINDS).of(silent, answer).to_fields()["disease"] is None


def test_the_graph_is_read_for_a_set_that_lists_no_entities() -> None:
    question = DialogueQuestion(
        "1", "我咳嗽", frozenset(), reference="感冒", gold_in_reference=True
    )
    measures = text_measures(opened(chinese_clinic()), [question])
    assert measures is not None
    assert measures.kinds.named_in("感冒")


def test_no_gold_is_no_measure() -> None:
    assert matched("Flu", frozenset()) == KeyEntities()


class Library:
    """The part of ``bert-score`` that is used: a text that has a word of the other scores."""

    def __init__(self) -> None:
        self.made: list[dict[str, object]] = []

    def BERTScorer(self, **given: object) -> Library:  # noqa: N802 (the library's name)
        self.made.append(given)
        return self

    def score(self, texts: Sequence[str], others: Sequence[str]) -> tuple[list[float], ...]:
        shared = [
            float(bool({*a.split()} & {*b.split()})) for a, b in zip(texts, others, strict=True)
        ]
        return shared, [0.5 for _ in shared], [0.25 for _ in shared]


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Library:
    made = Library()
    config = SimpleNamespace(from_pretrained=lambda _: SimpleNamespace(num_hidden_layers=6))
    monkeypatch.setitem(sys.modules, "bert_score", made)  # type: ignore[arg-type]
    monkeypatch.setitem(sys.modules, "transformers", SimpleNamespace(AutoConfig=config))  # type: ignore[arg-type]
    return made


def test_bertscore_is_that_of_the_library(library: Library) -> None:
    scorer = BertScore("a/folder")
    assert scorer.scores(["flu now", "x"], ["flu", "y"]) == [(1.0, 0.5, 0.25), (0.0, 0.5, 0.25)]
    assert scorer.scores([], []) == []
    assert library.made == [{"model_type": "a/folder", "num_layers": 6, "idf": False}]
    assert BertScore("a/folder", layers=4).name == "a/folder, layer 4"


def test_without_the_library_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bert_score", None)  # type: ignore[arg-type]
    with pytest.raises(UsageError) as caught:
        BertScore("a/folder").scores(["a"], ["b"])
    assert caught.value.hint == installation("lab")


def test_citations_are_no_part_of_what_is_compared(library: Library) -> None:
    measures = TextMeasures(KINDS, BertScore("m"))
    question = DialogueQuestion("1", ILL, GOLD, reference="[1] flu")
    scores = measures.of(question, Answer(ILL, "clinic", "auto", text="Asthma [1]."))
    assert scores.bertscore == (0.0, 0.5, 0.25)
    assert scores.model == "m"
    empty = measures.of(question, Answer(ILL, "clinic", "auto", reason="none"))
    assert empty.bertscore == (0.0, 0.0, 0.0)


def test_a_dialogue_is_measured_from_the_question_to_the_row(tmp_path: Path) -> None:
    graph = opened(clinic())
    asked = [
        DialogueQuestion("1", ILL, GOLD, reference=REFERENCE),
        DialogueQuestion("2", "I feel odd.", frozenset({"Scurvy"}), reference="Scurvy."),
    ]
    rows = tmp_path / "rows.jsonl"
    measured = text_measures(graph, asked)
    assert measured is not None
    measures = measured.measures()
    asking = Asking(reasoner("dialogue", graph, form="text"), rows, RUN, measures=measures)
    summary = measure(asking, asked)
    assert isinstance(summary, DialogueSummary)
    kept = read_rows(rows, DialogueRow, RUN)
    first, second = kept["1"], kept["2"]
    assert first.text
    assert (first.disease, first.medication, first.test) == (1.0, 1.0, 1.0)
    assert (first.key_entities, first.key_entities_of_all, first.gold_outside) == (1.0, 0.75, 1)
    assert (second.key_entities, second.key_entities_of_all) == (None, 0.0)
    assert summary.key_entities == 1.0
    assert summary.key_entities_of_all == 0.375
    assert summary.with_key_entities == 1
    assert summary.gold_outside == 2
    # A resumed run asks nothing again.
    again = Asking(Canned(fails_at=[ILL]), rows, RUN, measures=measures)
    assert evaluate(again, asked) == summary


def test_what_a_method_lists_without_a_text_is_its_text() -> None:
    """A language model alone lists names that no fact proves; a judge reads what it says."""
    asked = DialogueQuestion("1", ILL, GOLD, reference=REFERENCE)
    listed = Answer(ILL, "clinic", "llm", unsupported=("Malaria", "rest"))
    row = TextMeasures(KINDS).as_row
    assert row(asked, listed, RUN).text == "Malaria, rest"
    assert row(asked, replace(listed, text="I think so."), RUN).text == "I think so."
    assert row(asked, replace(listed, unsupported=()), RUN).text is None


def test_sets_without_references_have_no_measures_of_texts() -> None:
    assert text_measures(opened(clinic()), [Question("1", "x?", frozenset("a"))]) is None
