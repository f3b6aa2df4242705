"""Tables as they are read, run and shown: what is expected, what is off, what was not run."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from kgdb.errors import ModelError, UsageError
from kgdb.evaluation import ClaimRow
from kgdb.lab.intervals import Mean, differs, mean_of
from kgdb.lab.ranking import Judge
from kgdb.lab.reproduction.pictures import draw
from kgdb.lab.reproduction.ranking import SetRanking, ranked_rows
from kgdb.lab.reproduction.reproduction_report import markdown
from kgdb.lab.reproduction.spec import QuestionSet, Reproduction, chosen, reproductions
from kgdb.lab.reproduction.table_measures import measured
from kgdb.lab.reproduction.table_results import Result, RunResult
from kgdb.lab.texts import DialogueQuestion, DialogueRow
from kgdb.language import Completion, CompletionRequest
from kgdb.progress import silent

pytestmark = pytest.mark.unit

TABLE = """
title = "Paper, Table 1: films"
paper = "Paper (Table 1)"
about = "What is compared."
[[columns]]
title = "1-hop"
dataset = "metaqa"
hops = 1
measure = "hits_at_1"
[[columns]]
title = "calls"
dataset = "metaqa"
measure = "calls"
scale = 1
[[published]]
row = "theirs"
values = { "1-hop" = 98.1 }
[[runs]]
row = "ours"
method = "refkg"
beside = "theirs"
[[runs]]
row = "neighbors"
method = "neighbors"
[[runs]]
row = "large"
method = "refkg"
needs = "a larger model"
[expected]
limit = 100
seed = 0
models = "llm none"
tolerance = 2
[expected.scores.ours]
"1-hop" = 90.0
"""


def table(tmp_path: Path, text: str = TABLE) -> Reproduction:
    path = tmp_path / "paper-table-1.toml"
    path.write_text(text, encoding="utf-8")
    return Reproduction.read(path)


def answer(id_: str = "1", **values: Any) -> DialogueRow:
    given: dict[str, Any] = {
        "id": id_, "run": "r", "question": "q", "type": None, "paths": 3, "reason": None,
        "error": None, "calls": 0, "cached": 0, "tokens_in": 0, "tokens_out": 0, "seconds": 0.1,
        "round_trips": 2, "hits_at_1": True, "hit": True, "exact": True, "f1": 1.0,
        "evidence": 1.0, "answered": 1, "first": "a", "interpretation": None,
    }  # fmt: skip
    return DialogueRow(**given | values)


def claim(**values: Any) -> ClaimRow:
    given: dict[str, Any] = {
        "id": "1", "run": "r", "question": "c", "type": "Negation", "paths": 0, "reason": None,
        "error": None, "calls": 0, "cached": 0, "tokens_in": 0, "tokens_out": 0, "seconds": 0.1,
        "round_trips": 2, "label": "SUPPORTED", "verdict": "SUPPORTED", "correct": True,
        "confidence": 0.5,
    }  # fmt: skip
    return ClaimRow(**given | values)


def result(spec: Reproduction, score: float, limit: int | None = 100) -> Result:
    ours, neighbors, large = spec.runs
    mean = Mean(score, score - 0.05, min(1.0, score + 0.05), 100)
    return Result(
        spec,
        (
            RunResult(ours, "llm none", {"1-hop": mean}),
            RunResult(
                neighbors, "llm none", {"1-hop": Mean(0.5, 0.45, 0.55, 100)},
                differing={"1-hop": 0.001},
            ),
            RunResult(large, skipped="needs a larger model"),
        ),
        limit,
        0,
    )  # fmt: skip


def test_a_table_is_read_with_its_sets(tmp_path: Path) -> None:
    spec = table(tmp_path)
    assert [each.title for each in spec.sets] == ["metaqa-1", "metaqa-2", "metaqa-3"]
    assert spec.name == "paper-table-1"
    assert spec.columns[1].scale == 1


WRONG: list[tuple[Callable[[str], str], str]] = [
    (lambda t: t.replace('dataset = "metaqa"', 'dataset = "metaq"', 1), "dataset is 'metaq'"),
    (lambda t: t.replace('"hits_at_1"', '"hits"'), "measure is 'hits'; expected one of"),
    (lambda t: t.replace("hops = 1", "hops = 4"), "column '1-hop' has hops 4"),
    (lambda t: t.replace('method = "refkg"', 'method = "rfkg"', 1), "method is 'rfkg'"),
    (lambda t: t.replace('beside = "theirs"', 'beside = "other"'), "beside is 'other'"),
    (lambda t: t.replace('"1-hop" = 98.1', '"4-hop" = 98.1'), "values of 'theirs' is '4-hop'"),
    (lambda t: t.replace("tolerance", "tolerence"), "Did you mean tolerance?"),
    (lambda t: t.replace('row = "theirs"\n', ""), "published 1 has no row"),
    (lambda t: t + "[runs]", "cannot be read"),
    (lambda t: "gold_entities = 1\n" + t, "gold_entities is '1'; expected true or false"),
    (lambda t: t.replace("scores.ours", "scores.other"), "expected row is 'other'"),
    (lambda t: t.replace('title = "calls"', 'title = "1-hop"'), "two columns have one title"),
    (lambda t: t.replace('row = "neighbors"', 'row = "ours"'), "two runs have one row"),
    (
        lambda t: t.replace('"calls"\nscale', '"rank"\nscale'),
        "dataset of rank is 'metaqa'; expected",
    ),
    (lambda t: t.split("[[runs]]")[0], "neither runs with columns, nor what it needs"),
]


@pytest.mark.parametrize(("change", "message"), WRONG)
def test_a_wrong_table_says_what_is_wrong(
    tmp_path: Path, change: Callable[[str], str], message: str
) -> None:
    with pytest.raises(UsageError) as refused:
        table(tmp_path, change(TABLE))
    assert message in refused.value.message
    assert "paper-table-1.toml" in refused.value.message


def test_all_that_ship_are_read_and_a_wrong_name_is_told() -> None:
    known = reproductions()
    assert "refkg-table-4" in known
    with pytest.raises(UsageError, match=r"no table or figure 'refkg-table4'.* refkg-table-4\?"):
        chosen(["refkg-table4"], known)


@pytest.mark.parametrize(
    ("score", "standing"), [(0.9, "ok"), (0.881, "ok"), (0.865, "near"), (0.85, "fail")]
)
def test_a_score_stands_to_the_expected_one(tmp_path: Path, score: float, standing: str) -> None:
    found = result(table(tmp_path), score)
    assert (found.standing(found.runs[0], "1-hop"), found.worst) == (standing, standing)
    # Of other questions or models nothing is expected.
    assert result(table(tmp_path), score, limit=50).worst == "new"
    other = tuple(replace(each, models="llm tiny") for each in found.runs)
    assert replace(found, runs=other).worst == "new"


def test_a_page_shows_ours_under_the_published_row(tmp_path: Path) -> None:
    page = markdown(result(table(tmp_path), 0.9), "paper-table-1.png")
    lines = page.splitlines()
    theirs = next(place for place, line in enumerate(lines) if line.startswith("| theirs"))
    assert "98.1" in lines[theirs]
    assert lines[theirs + 1].startswith("| **ours** | kgdb | 90.0 (85.0 to 95.0)")
    assert "50.0\\*" in page
    assert "differs from ours by a paired permutation test" in page
    assert "**large** was not run: needs a larger model." in page
    assert "100 questions of each set" in page
    assert "Not measured here: calls." in page
    assert "](paper-table-1.png)" in page


def test_more_columns_than_a_page_has_room_for_become_its_rows(tmp_path: Path) -> None:
    column = """
[[columns]]
title = "column {}"
dataset = "metaqa"
measure = "hit"
"""
    more = "".join(column.format(number) for number in range(12))
    spec = table(tmp_path, TABLE.replace("[[published]]", f"{more}[[published]]", 1))
    lines = markdown(result(spec, 0.9)).splitlines()
    begins = next(place for place, line in enumerate(lines) if line.startswith("| "))
    assert lines[begins : begins + 4] == [
        "|  | theirs | **ours** | **neighbors** | **large** |",
        "| --- | ---: | ---: | ---: | ---: |",
        "| from | Paper (Table 1) | kgdb | kgdb | not run |",
        "| 1-hop | 98.1 | 90.0 (85.0 to 95.0) | 50.0\\* (45.0 to 55.0) |  |",
    ]


def test_a_page_and_scores_name_gold_entities(tmp_path: Path) -> None:
    found = result(table(tmp_path), 0.9)
    assert "; entities found in the text." in markdown(found)
    assert found.to_dict()["gold_entities"] == []
    gold = replace(found, gold_entities=("metaqa",))
    page = markdown(gold)
    assert "| **ours** | kgdb, gold entities | 90.0" in page
    assert "; gold entities given (metaqa)." in page
    assert gold.to_dict()["gold_entities"] == ["metaqa"]
    # Nothing is expected of questions that are asked otherwise than the table sets it.
    assert (found.worst, gold.worst) == ("ok", "new")
    set_so = replace(found.spec, gold_entities=True)
    assert replace(found, spec=set_so).worst == "new"
    assert replace(gold, spec=set_so).worst == "ok"


@pytest.mark.slow
def test_a_picture_is_the_same_for_the_same_scores(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    found = result(table(tmp_path), 0.9)
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        folder.mkdir()
        assert draw(found, folder) == folder / "paper-table-1.png"
    for name in ("paper-table-1.png", "paper-table-1.svg"):
        one, other = (folder / name for folder in folders)
        assert one.read_bytes() == other.read_bytes()
    nothing = replace(found, runs=found.runs[2:])
    assert draw(nothing, folders[0]) is None
    # The picture of an earlier run is not left beside a page without scores.
    assert list(folders[0].iterdir()) == []


def test_a_picture_tells_a_score_of_zero_from_none(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    found = result(table(tmp_path), 0.9)
    ours, neighbors, large = found.runs
    zero = replace(neighbors, means={"1-hop": Mean(0.0, 0.0, 0.0, 100)})
    pictures = []
    for runs in ((ours, zero, large), (ours, replace(neighbors, means={}), large)):
        draw(replace(found, runs=runs), tmp_path)
        pictures.append((tmp_path / "paper-table-1.svg").read_text(encoding="utf-8"))
    assert ["neighbors (kgdb)" in each for each in pictures] == [True, False]
    assert [each.count("> 0</text>") for each in pictures] == [1, 0]


def test_lines_are_drawn_over_the_option_that_differs(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    spec = replace(table(tmp_path), plot="lines")
    runs = tuple(
        RunResult(replace(spec.runs[0], x=x, series="s"), "m", {"1-hop": mean_of([y, y])})
        for x, y in ((1.0, 0.5), (2.0, 0.7))
    )
    assert draw(Result(spec, runs, 10, 0), tmp_path) is not None


def test_scores_are_json(tmp_path: Path) -> None:
    told = json.loads(json.dumps(result(table(tmp_path), 0.9).to_dict()))
    assert told["status"] == "ok"
    assert told["rows"][2]["skipped"] == "needs a larger model"
    assert told["rows"][0]["scores"]["1-hop"]["value"] == 0.9


def test_measures_read_the_rows_that_have_them() -> None:
    rows = [answer(hops=1), answer("2", hits_at_1=False, hops=2, lost="reading")]
    assert measured(rows, "hits_at_1", None) == [1.0, 0.0]
    assert measured(rows, "hits_at_1", "2-hop") == [0.0]
    assert measured(rows, "accuracy", None) == []
    assert measured([claim(), claim(verdict="NOT ENOUGH EVIDENCE", correct=False)],
                    "accuracy_of_decided", None) == [1.0]  # fmt: skip
    assert measured([claim(correct=False)], "accuracy", "One-hop") == []


def test_what_a_stage_lost_is_a_share_of_all_wrong_answers() -> None:
    rows = [
        answer("1"),
        answer("2", lost="retrieval", type="a"),
        answer("3", lost="reading", type="b"),
    ]
    assert measured(rows, "lost_retrieval", None) == [1.0, 0.0]
    assert measured(rows, "lost_retrieval", "b") == [0.0, 0.0]
    assert measured(rows, "lost_reading", "b") == [0.0, 1.0]


def test_an_interval_holds_the_mean_and_is_the_same_each_time() -> None:
    pytest.importorskip("scipy")
    values = [1.0] * 30 + [0.0] * 70
    found = mean_of(values)
    assert found == mean_of(values)
    assert 0.2 < found.low < found.value == 0.3 < found.high < 0.4
    assert mean_of([0.5, 0.5]) == Mean(0.5, 0.5, 0.5, 2)
    with pytest.raises(ValueError, match="values is empty"):
        mean_of([])


def test_methods_differ_where_one_is_better_on_the_same_questions() -> None:
    pytest.importorskip("scipy")
    better = [1.0] * 40 + [0.0] * 10
    worse = [0.0] * 40 + [0.0] * 10
    assert differs(better, worse) < 0.01
    assert differs([1.0], [0.0]) == 1.0
    assert differs(better, better) == 1.0
    assert differs([1.0, 0.0, 1.0], [0.0, 1.0, 1.0]) > 0.5
    with pytest.raises(ValueError, match="scores of one sample"):
        differs([1.0], [])


class LikesLong:
    """A judge to whom the longest answer is best, and that fails at questions of this text."""

    name = "judge"
    context = 8192
    supports_grammar = False
    parameters = None

    def __init__(self, fails_at: str = "nothing") -> None:
        self.fails_at = fails_at

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]

    def complete(self, requests: Sequence[CompletionRequest]) -> list[Completion | ModelError]:
        return [self._reply(request.prompt) for request in requests]

    def _reply(self, asked: str) -> Completion | ModelError:
        if self.fails_at in asked:
            return ModelError("it is down")
        shown = re.findall(r"^Answer ([A-Z]): (.*)$", asked, re.MULTILINE)
        lengths = sorted((len(text) for _, text in shown), reverse=True)
        ranks = {letter: lengths.index(len(text)) + 1 for letter, text in shown}
        return Completion(json.dumps(ranks), 1, 1)


ASKED = [
    DialogueQuestion(str(n), f"What is it, {n}?", frozenset(), reference="Flu.") for n in range(12)
]


def texts(text: str) -> list[DialogueRow]:
    return [answer(each.id, text=text) for each in ASKED]


def test_the_rows_of_dialogues_get_their_ranks(tmp_path: Path) -> None:
    rows = {"a": texts("It is the flu."), "b": texts("Flu."), "c": texts("It is the flu.")}
    judge = Judge(LikesLong(), "stub")
    ranked, ranking = ranked_rows(judge, ASKED, rows, tmp_path / "genmedgpt.jsonl", silent)
    assert {name: measured(rows, "rank", None) for name, rows in ranked.items()} == {
        "a": [1.5] * 12, "b": [3.0] * 12, "c": [1.5] * 12,
    }  # fmt: skip
    assert measured(rows["a"], "rank", None) == []
    assert unranked(ranked["a"]) == rows["a"]
    assert (ranking.questions, ranking.judge) == (12, "stub")
    # What the judge fails at has no ranks; the others have theirs.
    judge = Judge(LikesLong("What is it, 3?"), "other")
    ranked, ranking = ranked_rows(judge, ASKED, rows, tmp_path / "genmedgpt.jsonl", silent)
    assert [len(measured(rows, "rank", None)) for rows in ranked.values()] == [11, 11, 11]
    assert ranking.errors == 1


def unranked(rows: Sequence[object]) -> list[DialogueRow]:
    """The rows without their ranks."""
    given = [{each.name: getattr(row, each.name) for each in fields(DialogueRow)} for row in rows]
    return [DialogueRow(**each) for each in given]


RANKED = (
    TABLE.replace('dataset = "metaqa"\nhops = 1', 'dataset = "genmedgpt"')
    .replace('"hits_at_1"', '"rank"')
    .replace('measure = "rank"', 'measure = "rank"\nscale = 1')
)


def test_no_rank_is_expected_and_what_stopped_a_judge_is_told(tmp_path: Path) -> None:
    spec = table(tmp_path, RANKED)
    assert [each.title for each in spec.ranked_sets] == ["genmedgpt"]
    assert table(tmp_path, TABLE).ranked_sets == ()
    stopped = SetRanking(QuestionSet("genmedgpt"), "llm none", stopped="The judge failed.")
    found = replace(result(spec, 0.9), rankings=(stopped,))
    assert found.worst == "new"
    assert found.stopped
    assert not result(spec, 0.9).stopped
    assert "**genmedgpt** was not ranked: The judge failed. The same command goes on." in markdown(
        found
    )
    assert found.to_dict()["rankings"] == [
        {"set": "genmedgpt", "models": "llm none", "stopped": "The judge failed."}
    ]


def test_a_page_says_how_far_each_ranking_can_be_trusted(tmp_path: Path) -> None:
    nothing = [replace(each, text=None) for each in texts("")]
    rows = {"ours": texts("It is the flu."), "neighbors": texts("Flu."), "large": nothing}
    judge = Judge(LikesLong(), "stub")
    _, ranking = ranked_rows(judge, ASKED, rows, tmp_path / "genmedgpt.jsonl", silent)
    of_models = tuple(
        SetRanking(QuestionSet("genmedgpt"), models, ranking) for models in ("llm none", "llm tiny")
    )
    page = markdown(replace(result(table(tmp_path, RANKED), 0.9), rankings=of_models))
    assert "| **ours** | kgdb | 0.90 (0.85 to 0.95)" in page
    for each in of_models:
        assert (
            f"**genmedgpt by {each.models}** was ranked by stub, each question in two orders. "
            "Kendall's tau-b between both orders is 1.00 (1.00 to 1.00; 12 questions). "
            "Of 12 questions, some rows say nothing and are last by rule: large (of 12)." in page
        )
