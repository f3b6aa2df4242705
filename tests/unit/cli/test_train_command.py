"""``kgdb lab train corpus`` from its arguments to its file, over a graph in memory."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from fakes import BagOfWords, MemoryDatabase, graph_info
from films import films

from kgdb.cli.main import cli
from kgdb.connection import KnowledgeGraph
from kgdb.errors import GraphNotFound, UsageError
from kgdb.lab.cli import train_corpus
from kgdb.lab.training.corpus import read_rows
from kgdb.progress import Event

pytestmark = pytest.mark.unit

QUESTIONS = [
    {"question": "who directed [Quiet Shore]", "answers": ["Harriet Coldmoor"]},
    {"question": "when was [Quiet Shore] released", "answers": ["1989"]},
    {"question": "who directed [Snow Whale]", "answers": ["Mallory"]},
]


class Connection(MemoryDatabase):
    """A connection without a server; it has one graph."""

    def __init__(self) -> None:
        super().__init__(films())
        self.events: list[Event] = []
        self.report = self.events.append

    def graph(self, name: str) -> KnowledgeGraph:
        if name != "films":
            raise GraphNotFound(f"The graph {name!r} is not loaded.")
        return KnowledgeGraph(self, graph_info("films"))  # type: ignore[arg-type]

    def encoder(self, _: str | None = None) -> BagOfWords:
        return BagOfWords()


@pytest.fixture(autouse=True)
def in_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The command finds the graph in memory, and writes into a folder of its own."""

    @contextmanager
    def connected(**_: str | None) -> Iterator[Connection]:
        yield Connection()

    monkeypatch.setattr(train_corpus, "connected", connected)
    monkeypatch.chdir(tmp_path)


def written(name: str, *lines: object) -> str:
    Path(name).write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return name


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["lab", "train", "corpus", *arguments, "--output", "out.jsonl"])


def refusal(*arguments: str) -> UsageError:
    """The error of a command, which leaves no file."""
    error = run(*arguments).exception
    assert isinstance(error, UsageError), error
    assert not list(Path().glob("out.jsonl*"))
    return error


def test_a_corpus_is_made_from_questions_with_answers() -> None:
    done = run("films", written("mine.jsonl", *QUESTIONS))
    assert done.exit_code == 0, done.output
    assert "Wrote 2 rows about films to out.jsonl" in done.output
    assert "dropped: no chain gives the answers" in done.output
    assert "who directed [Snow Whale]" in done.output
    rows = list(read_rows(Path("out.jsonl")))
    assert [row.chain for row in rows] == [("directed_by",), ("release_year",)]
    assert {(row.graph, row.source) for row in rows} == {("films", "mine.jsonl")}


def test_a_corpus_is_made_from_the_graph_alone() -> None:
    done = run("films", "--rows", "50", "--held-back", "0.3", "--licence", "CC0")
    assert done.exit_code == 0, done.output
    rows = list(read_rows(Path("out.jsonl")))
    assert {row.source for row in rows} == {"templates", "templates, held back"}
    assert {row.licence for row in rows} == {"CC0"}
    assert "rows held back from training" in done.output


def test_the_same_command_writes_the_same_file() -> None:
    run("films", "--rows", "50", "--seed", "5")
    first = Path("out.jsonl").read_bytes()
    run("films", "--rows", "50", "--seed", "5")
    assert Path("out.jsonl").read_bytes() == first


def test_the_report_is_json_for_programs() -> None:
    done = run("films", written("mine.jsonl", *QUESTIONS), "--json")
    told = json.loads(done.stdout)
    assert (told["file"], told["read"], told["rows"]) == ("out.jsonl", 3, 2)
    assert told["dropped"] == {"no chain gives the answers": 1}
    assert told["examples"][0]["question"] == "who directed this"


def test_questions_of_other_files_are_kept_out() -> None:
    mine, dev = written("mine.jsonl", *QUESTIONS), written("dev.jsonl", QUESTIONS[0])
    done = run("films", mine, "--without", dev, "--json")
    assert json.loads(done.stdout)["dropped"]["the question is held out"] == 1
    done = run("films", mine, "--without", written("dev.jsonl", QUESTIONS[2]), "--json")
    assert json.loads(done.stdout)["rows"] == 2
    dev = written("dev.jsonl", QUESTIONS[0])
    error = refusal_after(mine, "--without", dev, "--without-entities")
    assert "No row can be made" in error.message
    assert "the question is held out (2)" in error.message


def refusal_after(*arguments: str) -> UsageError:
    Path("out.jsonl").unlink()
    return refusal("films", *arguments)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ("", "holds no question"),
        ('{"question": "who?", "answers": ["x"]}\n{"question": "wh', "line 2, is not a question"),
        ('{"question": "who?"}\n', "line 1, is not a question or claim as expected: no 'answers'"),
        ('{"claim": "Heat is old.", "label": true}\n', "holds claims"),
        ('{"question": "who?", "answers": []}\n', "the question has no answers (1)"),
        ('{"question": "who is [Nobody At All]", "answers": ["x"]}\n', "names no entity"),
    ],
)
def test_a_file_that_gives_no_corpus_is_refused(lines: str, says: str) -> None:
    Path("mine.jsonl").write_text(lines, encoding="utf-8")
    assert says in refusal("films", "mine.jsonl").message


def test_a_truncated_archive_is_refused() -> None:
    whole = gzip.compress("".join(f"{json.dumps(each)}\n" for each in QUESTIONS).encode())
    Path("mine.jsonl.gz").write_bytes(whole[:-20])
    assert "mine.jsonl.gz is not gzipped UTF-8 text" in refusal("films", "mine.jsonl.gz").message


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["films", "nothing"], "'nothing' is not a question set"),
        (["films", "--limit", "3"], "--limit does nothing without questions"),
        (["films", "mine.jsonl", "--rows", "3"], "--rows does nothing with questions"),
        (["films", "mine.jsonl", "--output", "no/such/out.jsonl"], "There is no folder"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(arguments: list[str], says: str) -> None:
    written("mine.jsonl", *QUESTIONS)
    command = ["lab", "train", "corpus", *arguments]
    if "--output" not in arguments:
        command += ["--output", "out.jsonl"]
    error = CliRunner().invoke(cli, command).exception
    assert isinstance(error, UsageError)
    assert says in error.message


def test_a_run_that_is_killed_leaves_the_file_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("out.jsonl").write_text("what was there\n", encoding="utf-8")

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("kgdb.lab.training.corpus.corpus_from_questions", killed)
    assert run("films", written("mine.jsonl", *QUESTIONS)).exit_code != 0
    assert Path("out.jsonl").read_text(encoding="utf-8") == "what was there\n"


def test_what_questions_say_cannot_steer_the_terminal() -> None:
    hostile = {"question": "who directed [Snow Whale] [red]\x1b[2J\x9b", "answers": ["Mallory"]}
    done = run("films", written("mine.jsonl", QUESTIONS[0], hostile))
    assert done.exit_code == 0, done.output
    assert "[red]" in done.output
    assert not set(done.output) & set("\x1b\x9b")


def test_the_training_split_of_a_known_set_is_read_without_its_dev_questions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for hops in (1, 2, 3):
        folder = Path("data") / "metaqa" / f"{hops}-hop" / "vanilla"
        folder.mkdir(parents=True)
        line = f"who directed [Quiet Shore] {hops}\tHarriet Coldmoor\n".encode()
        dev = f"who directed the film [Quiet Shore] {hops - hops % 2}?\tHarriet Coldmoor\n".encode()
        (folder / "qa_train.txt.gz").write_bytes(gzip.compress(line, mtime=0))
        (folder / "qa_dev.txt.gz").write_bytes(gzip.compress(dev, mtime=0))
    done = run("films", "metaqa", "--data", "data", "--json")
    told = json.loads(done.stdout)
    assert (told["source"], told["rows"], told["read"]) == ("metaqa train", 2, 3)
    assert told["dropped"] == {"the question is held out": 1}
