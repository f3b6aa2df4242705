"""``kgdb eval`` from its arguments to its table, over a graph in memory."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from fakes import BagOfWords, MemoryDatabase, MemoryDriver, graph_info
from scripted import ScriptedModel

from kgdb.cli import eval_command
from kgdb.cli.eval_table import show_measures
from kgdb.cli.main import cli
from kgdb.connection import KnowledgeGraph
from kgdb.errors import GraphNotFound, TooManyErrors, UsageError
from kgdb.evaluation.row_means import summarize_answers
from kgdb.lab.cli import rank
from kgdb.language import CompletionRequest
from kgdb.progress import Event, Progress

pytestmark = pytest.mark.unit

FILMS = [
    ("Quiet Shore", "directed_by", "Ada Weir"),
    ("Quiet Shore", "release_year", "1989"),
    ("Snow Whale", "directed_by", "Ken Amagiri"),
]
QUESTIONS = [
    {"question": "directed by [Quiet Shore]", "answers": ["Ada Weir"], "type": "director"},
    {"question": "release year of [Quiet Shore]", "answers": ["1989", "1990"], "type": "year"},
    {"question": "directed by [Snow Whale]", "answers": ["Somebody"], "type": "director"},
]
CLAIMS = [{"claim": "Quiet Shore is from 1989.", "label": True}]


class Connection(MemoryDatabase):
    """A connection without a server; it has one graph."""

    home = Path("nowhere")
    prices = None
    examples = None

    def __init__(self, driver: MemoryDriver, events: list[Event]) -> None:
        super().__init__(driver)
        self.report = events.append

    def graph(self, name: str | None = None) -> KnowledgeGraph:
        if name not in (None, "films"):
            raise GraphNotFound(f"The graph {name!r} is not loaded.")
        return KnowledgeGraph(self, graph_info("films"))  # type: ignore[arg-type]

    def encoder(self, _: str | None = None) -> BagOfWords:
        return BagOfWords()

    def relation_encoder(self, _: str | None = None, __: object = None) -> None:
        return None

    def expert(self, _: str | None = None) -> None:
        return None

    def verifier(self, _: str | None = None) -> None:
        return None

    def llm(self, _: str | None = None) -> None:
        return None

    def models(self, llm: str | None = None, encoder: str | None = None) -> str:
        return f"llm {llm}, encoder {encoder}"


@pytest.fixture(autouse=True)
def events(monkeypatch: pytest.MonkeyPatch) -> list[Event]:
    """What is told on the way; and the command finds the graph in memory."""
    events: list[Event] = []

    @contextmanager
    def connected(**_: str | None) -> Iterator[Connection]:
        yield Connection(MemoryDriver(FILMS), events)

    for module in (eval_command, rank):
        monkeypatch.setattr(module, "connected", connected)
    return events


def written(path: Path, *lines: object) -> str:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return str(path)


@pytest.fixture
def questions(tmp_path: Path) -> str:
    return written(tmp_path / "mine.jsonl", *QUESTIONS)


DIALOGUES = ("lab", "dialogues")


def run(*arguments: str, command: tuple[str, ...] = ("eval",)) -> Result:
    return CliRunner().invoke(cli, [*command, *arguments])


def test_the_table_has_a_line_for_each_method(questions: str) -> None:
    done = run(questions, "--method", "neighbors, llm", "--types")
    assert done.exit_code == 0, done.output
    lines = [line.split() for line in done.output.splitlines() if line.strip()]
    assert lines[0] == "entities found in the text".split()
    assert lines[1][:6] == ["set", "method", "n", "Hits@1", "hit@20", "EM"]
    (near,) = (line for line in lines if "neighbors" in line)
    assert near[:9] == [
        *("mine.jsonl", "neighbors", "3"),
        *("66.7%", "66.7%", "33.3%", "55.6%", "66.7%", "50.0%"),
    ]
    (alone,) = (line for line in lines if "llm" in line)
    assert alone[2:4] == ["3", "0.0%"]
    assert [line[1] for line in lines if line[0] == "director"] == ["2", "2"]


def test_the_cost_is_a_column_where_it_is_known(questions: str) -> None:
    assert "cost" not in run(questions, "--method", "neighbors").output
    summary = replace(summarize_answers([]), cost=0.00004)
    with CliRunner().isolation() as (shown, *_):
        show_measures(
            {("refkg", "mine"): summary, ("llm", "mine"): summarize_answers([])},
            types=False,
            gold_entities=False,
        )
        lines = [line.split() for line in shown.getvalue().decode().splitlines() if line.strip()]
    assert lines[1][-2:] == ["trips", "cost"]
    assert [line[-1] for line in lines[3:]] == ["0.000040", "0.0000"]


def test_it_is_told_where_a_cap_left_answers_out() -> None:
    whole = summarize_answers([])
    cut = replace(whole, truncated=0.025)
    with CliRunner().isolation() as (shown, told, _):
        measured = {("refkg", "mine"): whole, ("rok", "mine"): cut}
        show_measures(measured, types=False, gold_entities=False)
        assert "cap" not in shown.getvalue().decode()
        notes = told.getvalue().decode()
    assert notes == "rok, mine: a cap left answers out of 2.5% of the questions\n"


def test_kinds_and_names_of_files_cannot_steer_the_terminal(tmp_path: Path) -> None:
    path = written(tmp_path / "[red]\x1b[2J.jsonl", {**QUESTIONS[0], "type": "[red]\x9b\u202ex"})
    done = run(path, "--method", "neighbors", "--types")
    assert done.exit_code == 0, done.output
    assert " [red]\ufffd[2J.jsonl " in done.output
    assert "   [red]\ufffd\ufffdx " in done.output
    assert not set(done.output) & set("\x1b\x9b\u202e")


def test_progress_is_told_by_method_and_set(questions: str, events: list[Event]) -> None:
    run(questions, "--method", "neighbors,llm")
    assert [e for e in events if isinstance(e, Progress) and e.done == e.total] == [
        Progress(f"{method}, mine.jsonl", 3, 3, "questions") for method in ("neighbors", "llm")
    ]


def test_json_has_all_measures_by_method_and_set(questions: str, tmp_path: Path) -> None:
    done = run(questions, "--method", "neighbors", "--json", "--limit", "2", "--seed", "1")
    summary = json.loads(done.output)["neighbors"]["mine.jsonl"]
    assert summary["questions"] == 2
    assert set(summary["by_type"]) <= {"director", "year"}
    assert summary["most_round_trips"] <= 5
    claims = written(tmp_path / "claims.jsonl", *CLAIMS)
    judged = json.loads(run(claims, "--method", "cot", "--json").output)
    assert judged["cot"]["claims.jsonl"]["unanswered"] == 1


def test_gold_entities_are_given_by_a_flag_that_table_rows_and_json_name(tmp_path: Path) -> None:
    hidden = {"question": "directed by it", "answers": ["Ada Weir"], "entities": ["Quiet Shore"]}
    path = written(tmp_path / "mine.jsonl", hidden)
    asked = (path, "--method", "neighbors")
    plain = json.loads(run(*asked, "--json").output)["neighbors"]["mine.jsonl"]
    gold = json.loads(run(*asked, "--gold-entities", "--json").output)["neighbors"]["mine.jsonl"]
    assert (plain["hits_at_1"], plain["gold_entities"]) == (0.0, False)
    assert (gold["hits_at_1"], gold["gold_entities"]) == (1.0, True)
    assert run(*asked).output.startswith("entities found in the text\n")
    rows = tmp_path / "rows.jsonl"
    assert run(*asked, "--gold-entities", "--rows", str(rows)).output.startswith("gold entities")
    row = json.loads(rows.read_text())
    assert row["question"] == "directed by it [Quiet Shore]"
    assert "gold entities given" in row["run"]
    mixed = run(*asked, "--rows", str(rows))
    assert isinstance(mixed.exception, UsageError)


def test_a_set_that_names_no_entities_has_no_gold_ones_to_give(tmp_path: Path) -> None:
    claims = written(tmp_path / "claims.jsonl", *CLAIMS)
    refused = run(claims, "--method", "refkg", "--gold-entities")
    assert isinstance(refused.exception, UsageError)
    assert "names no entities" in str(refused.exception)


def test_each_of_several_methods_has_its_rows(questions: str, tmp_path: Path) -> None:
    rows = tmp_path / "out" / "rows.jsonl"
    first = run(questions, "--method", "neighbors,llm", "--rows", str(rows))
    assert first.exit_code == 0, first.output
    kept = {path.name: path.read_text() for path in rows.parent.iterdir()}
    assert set(kept) == {"rows-neighbors.jsonl", "rows-llm.jsonl"}
    assert run(questions, "--method", "neighbors,llm", "--rows", str(rows)).output == first.output
    assert {path.name: path.read_text() for path in rows.parent.iterdir()} == kept
    # Other options are another run.
    other = run(
        questions, "--method", "neighbors,llm", "--rows", str(rows), "--set", "neighbors.hops=2"
    )
    assert isinstance(other.exception, UsageError)
    assert "another run" in str(other.exception)


def test_options_are_set_for_all_methods_or_for_one(questions: str) -> None:
    both = run(questions, "--method", "llm,cot", "--set", "allow_unsupported=yes")
    assert both.exit_code == 0, both.output
    one = run(questions, "--method", "llm,neighbors", "--set", "neighbors.max_evidence=1", "--json")
    assert json.loads(one.output)["neighbors"]["mine.jsonl"]["paths"] == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--method", "nonsense"], "There is no method 'nonsense'"),
        (["--method", "neighbors", "--set", "hops"], "'hops' is not of the form OPTION=VALUE"),
        (["--method", "neighbors", "--set", "llm.hops=2"], "sets nothing"),
        (["--method", "neighbors", "--set", "hop=2"], "Did you mean hops"),
        (["--method", "neighbors", "--set", "hops=9"], "hops is 9"),
        (["--graph", "other"], "The graph 'other' is not loaded"),
    ],
)
def test_a_wrong_argument_is_told(questions: str, arguments: list[str], told: str) -> None:
    done = run(questions, *arguments)
    assert isinstance(done.exception, UsageError)
    assert told in str(done.exception)


def test_only_what_the_graph_covers_is_asked(questions: str, tmp_path: Path) -> None:
    done = run(questions, "--method", "neighbors", "--covered", "--json")
    assert json.loads(done.output)["neighbors"]["mine.jsonl"]["questions"] == 2
    nothing = written(tmp_path / "other.jsonl", QUESTIONS[2])
    refused = run(nothing, "--method", "neighbors", "--covered")
    assert "covers none of the 1 question" in str(refused.exception)


def test_what_a_method_cannot_do_is_told_as_it_is(tmp_path: Path) -> None:
    claims = written(tmp_path / "claims.jsonl", *CLAIMS)
    done = run(claims, "--method", "neighbors", "--max-errors", "0")
    assert isinstance(done.exception, UsageError)
    assert "does not verify claims" in str(done.exception)


def test_errors_are_counted_and_the_first_is_told(tmp_path: Path) -> None:
    long = {"question": "who " * 4000, "answers": ["x"]}
    path = written(tmp_path / "mine.jsonl", *QUESTIONS, long)
    done = run(path, "--method", "neighbors")
    assert done.exit_code == 0
    assert "neighbors, mine.jsonl: UsageError: The question has 16,000 characters" in done.output
    stopped = run(path, "--method", "neighbors", "--max-errors", "0", "--batch", "1")
    assert isinstance(stopped.exception, TooManyErrors)


@pytest.fixture
def dialogues(tmp_path: Path) -> tuple[str, ...]:
    """The arguments that ask a set of one dialogue."""
    dialogue = {
        "question": "I liked Quiet Shore. Who made it?",
        "question_entities": ["Quiet Shore"],
        "answer": "Ada Weir did, and Mallory helped.",
        "answer_entities": ["Ada Weir", "Mallory"],
    }
    file = tmp_path / "genmedgpt-5k" / "dev.jsonl.gz"
    file.parent.mkdir()
    file.write_bytes(gzip.compress(json.dumps(dialogue).encode()))
    return "genmedgpt", "--data", str(tmp_path), "--graph", "films", "--limit", "1"


def test_dialogues_are_answered_as_texts_and_these_are_measured(
    dialogues: tuple[str, ...], tmp_path: Path
) -> None:
    rows = tmp_path / "rows.jsonl"
    done = run(*dialogues, "--rows", str(rows), command=DIALOGUES)
    assert done.exit_code == 0, done.output
    lines = [line.split() for line in done.output.splitlines() if line.strip()]
    assert lines[1][:6] == ["set", "method", "n", "disease", "medication", "test"]
    # The films have no disease; of all names of the reference the text has one.
    assert lines[3][:10] == ["genmedgpt", "dev", "auto", "1", "–", "–", "–", "–", "–", "50.0%"]
    assert "1 entity the graph does not have" in done.output
    row = json.loads(rows.read_text())
    assert row["text"].startswith("The answer is Ada Weir [1]. Quiet Shore is directed by")
    assert row["gold_outside"] == 1
    plain = run(*dialogues, "--set", "form=entities", "--json", command=DIALOGUES)
    summary = json.loads(plain.output)["auto"]["genmedgpt dev"]
    assert summary["key_entities_of_all"] is not None


def likes_directors(request: CompletionRequest) -> str:
    """A judge to whom the answer is best that names the director."""
    shown = re.findall(r"^Answer ([A-Z]): (.*)$", request.prompt, re.MULTILINE)
    best = sorted("Ada Weir" not in text for _, text in shown)
    return json.dumps({letter: 1 + best.index("Ada Weir" not in text) for letter, text in shown})


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> ScriptedModel:
    """The language model ``judge``; no other is there."""
    model = ScriptedModel({"Rank the answers": likes_directors})
    monkeypatch.setattr(Connection, "llm", lambda _, name=None: model if name == "judge" else None)
    return model


def test_a_judge_ranks_the_texts_of_several_methods(
    dialogues: tuple[str, ...], judge: ScriptedModel, tmp_path: Path
) -> None:
    methods = ("--method", "refkg,dialogue,llm", "--set", "dialogue.described=1")
    assert (
        run(
            *dialogues, *methods, "--rows", str(tmp_path / "rows.jsonl"), command=DIALOGUES
        ).exit_code
        == 0
    )
    files = [str(tmp_path / f"rows-{name}.jsonl") for name in ("refkg", "dialogue", "llm")]
    ranked = (dialogues[0], *files, *dialogues[1:3], "--judge-llm", "judge")
    done = run(*ranked, command=("lab", "rank"))
    assert done.exit_code == 0, done.output
    assert "ranked by judge, each question in two orders" in done.output
    ranks = [line.split() for line in done.output.splitlines() if " to " in line and "(" in line]
    assert {line[1]: line[3:5] for line in ranks}["rows-llm"] == ["1", "3.00"]
    assert [each.prompt.count("Answer ") for each in judge.asked] == [2, 2]
    # What the file beside the rows has is not judged again.
    kept = {path: path.read_bytes() for path in tmp_path.glob("*.jsonl")}
    assert len(kept) == 4
    again = run(*ranked, "--json", command=("lab", "rank"))
    assert {path: path.read_bytes() for path in tmp_path.glob("*.jsonl")} == kept
    assert len(judge.asked) == 2
    told = json.loads(again.output)["rows-llm"]
    assert (told["judge"], told["rank"]["value"], told["wins"]["value"]) == ("judge", 3.0, 0.0)
    assert (told["unreadable"], told["silent"]) == ([], 1)
    assert "methods" not in told


def test_what_no_judge_can_rank_is_told(
    dialogues: tuple[str, ...], judge: ScriptedModel, tmp_path: Path
) -> None:
    rows, none = tmp_path / "rows.jsonl", tmp_path / "none.jsonl"
    assert (
        run(*dialogues, "--method", "dialogue", "--rows", str(rows), command=DIALOGUES).exit_code
        == 0
    )
    none.write_text("")
    for files, name, said in (
        ((rows,), "judge", "rows of several methods"),
        ((rows, none), "judge", "No dialogue of 'genmedgpt' has a row in each file"),
        ((rows, none), "none", "'none', which ranks nothing"),
    ):
        given = (dialogues[0], *map(str, files), *dialogues[1:3], "--judge-llm", name)
        done = run(*given, command=("lab", "rank"))
        assert isinstance(done.exception, UsageError)
        assert said in str(done.exception)
