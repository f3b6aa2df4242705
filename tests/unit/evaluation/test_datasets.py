"""Question sets in their published forms."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from kgdb.errors import UsageError
from kgdb.evaluation import (
    Selection,
    read_cwq,
    read_dataset,
    read_simplequestions,
    read_webqsp,
    read_webquestions,
)
from kgdb.lab.texts import ALL_SETS, DialogueQuestion
from kgdb.lab.texts.dialogue_sets import read_cmcqa, read_genmedgpt
from kgdb.loading import read_spec

pytestmark = pytest.mark.unit


def written(folder: Path, name: str, *rows: dict[str, Any]) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode()))
    return folder


CWQ = {
    "ID": "q1_a",
    "question": "Which film with Ann Lee was shot in Oslo?",
    "compositionality_type": "conjunction",
    "topic_entity": {"m.1": "Ann Lee", "m.2": "Oslo"},
    "answer": "Fjord",
}


def test_cwq_has_kinds_of_composition(tmp_path: Path) -> None:
    data = written(tmp_path, "cwq/dev.jsonl.gz", CWQ)
    (question,) = read_cwq(data)
    assert question.text == CWQ["question"]
    assert question.pointed_out().text == "Which film with [Ann Lee] was shot in [Oslo]?"
    assert (question.type, question.gold) == ("conjunction", {"Fjord"})


@pytest.mark.parametrize(
    ("target", "gold"),
    [
        ('(list (description "Ann Lee") (description Oslo))', {"Ann Lee", "Oslo"}),
        ('(list (description ""He said so" (twice)..."))', {'"He said so" (twice)...'}),
        ('(list (description "The \\"Rock\\""))', {'The "Rock"'}),
        ('(list (description "Queen (band)"))', {"Queen (band)"}),
    ],
)
def test_webquestions_describes_its_answers(tmp_path: Path, target: str, gold: set[str]) -> None:
    row = {
        "url": "http://www.freebase.com/view/en/ann_lee",
        "targetValue": target,
        "utterance": "who is ann lee?",
    }
    (question,) = read_webquestions(written(tmp_path, "webquestions/train.jsonl.gz", row))
    assert question.gold == gold
    assert (question.text, question.entities) == ("who is ann lee?", ("Ann Lee",))
    assert question.pointed_out().text == "who is [ann lee]?"


def test_webqsp_has_the_hops_of_its_gold_chain_or_else_of_the_shortest(tmp_path: Path) -> None:
    def line(id_: str, topic: str, answer: str) -> dict[str, Any]:
        return {"QuestionId": id_, "RawQuestion": "who?", "answer": [answer],
                "topic_entity": {"m.1": topic}}  # fmt: skip

    data = written(
        tmp_path,
        "webqsp/dev.jsonl.gz",
        line("parsed", "Ann", "Oslo"),
        line("near", "Ann", "Oslo"),
        line("far", "Oslo", "Bo"),
        line("apart", "Ann", "Nobody"),
    )
    assert [each.hops for each in read_webqsp(data)] == [None] * 4
    triples = "Ann\tborn_in\tOslo\nAnn\tmarriage\tm.9\nm.9\tspouse\tBo\n"
    (tmp_path / "freebase").mkdir()
    facts = tmp_path / "freebase" / "webqsp_cwq_triples.tsv.gz"
    facts.write_bytes(gzip.compress(triples.encode()))
    parses = [{"InferentialChain": None}, {"InferentialChain": ["marriage", "spouse"]}]
    written(data, "webqsp/sparql_sample_100.jsonl.gz", {"QuestionId": "parsed", "Parses": parses})
    found = read_webqsp(data)
    assert [each.hops for each in found] == [2, 1, 3, None]
    assert [each.type for each in found] == ["2-hop", "1-hop", "3-hop", None]
    facts.write_bytes(gzip.compress(b"Ann\tborn_in\n"))
    with pytest.raises(UsageError, match="line 1: expected HEAD<TAB>RELATION<TAB>TAIL"):
        read_webqsp(data)


def test_webquestions_without_a_description_is_refused(tmp_path: Path) -> None:
    row = {"url": "http://a/b", "targetValue": "(list)", "utterance": "who?"}
    with pytest.raises(UsageError, match=r"line 1, .*expected \(list \(description"):
        read_webquestions(written(tmp_path, "webquestions/train.jsonl.gz", row))


def test_simplequestions_knows_its_answer_by_both_forms_of_its_id(tmp_path: Path) -> None:
    row = {"id": "v1", "question": "where was ann lee born", "subject": "1", "relation": "born",
           "object": "0x", "subject_name": "Ann Lee"}  # fmt: skip
    nameless = {key: value for key, value in row.items() if key != "subject_name"} | {"id": "v2"}
    data = written(tmp_path, "simplequestions/train.jsonl.gz", row, nameless)
    one, other = read_simplequestions(data)
    assert one.ids == {"m.0x": "m.0x", "/m/0x": "m.0x"}
    assert one.text == other.text == row["question"]
    assert one.pointed_out().text == "where was [ann lee] born"
    assert other.pointed_out() == other


def test_dialogues_have_the_text_that_answered_them(tmp_path: Path) -> None:
    row = {"question": "I cough.", "question_entities": ["Cough"], "answer": "Take honey.",
           "answer_entities": ["honey"]}  # fmt: skip
    (question,) = read_genmedgpt(written(tmp_path, "genmedgpt-5k/dev.jsonl.gz", row))
    assert question == DialogueQuestion(
        "genmedgpt/dev/1", "I cough.", frozenset({"honey"}), entities=("Cough",),
        reference="Take honey.",
    )  # fmt: skip
    row = {"question": " 咳嗽怎么办", "question_kg": "咳嗽,", "answer": " 多喝水"}
    (question,) = read_cmcqa(written(tmp_path, "cmcqa/dev.jsonl.gz", row))
    assert (question.entities, question.reference) == (("咳嗽",), "多喝水")


def test_a_set_is_read_by_its_name_from_the_split_to_measure_on(tmp_path: Path) -> None:
    data = written(tmp_path, "cwq/dev.jsonl.gz", CWQ)
    assert list(read_dataset("cwq", data, Selection())) == ["cwq dev"]
    with pytest.raises(UsageError, match=r"There is no .*train"):
        read_dataset("cwq", data, Selection("train"))


@pytest.mark.parametrize("name", [name for name, set_ in ALL_SETS.items() if len(set_.splits) == 1])
def test_a_set_without_that_split_says_which_it_has(name: str) -> None:
    (split,) = ALL_SETS[name].splits
    other = "train" if split == "dev" else "dev"
    with pytest.raises(UsageError, match=rf"{name} has no split '{other}'") as refused:
        read_dataset(name, Path(), Selection(other), ALL_SETS)
    assert refused.value.hint == f"Expected {split}."
    with pytest.raises(UsageError, match="'metaq' is not a question set"):
        read_dataset("metaq", Path(), Selection())


@pytest.mark.parametrize("name", ALL_SETS)
def test_the_loader_of_a_set_takes_the_options_that_its_scores_are_of(name: str) -> None:
    known = ALL_SETS[name]
    options = read_spec(known.graph).options
    for option, value in known.options.items():
        assert value in options[option].choices
        assert f" --set {option}={value}" in known.load_command(Path("data"))
