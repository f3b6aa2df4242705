"""A table whose ranks a judge behind an OpenAI-compatible server gives, and how it fails."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from command import run
from sources import load_facts

import kgdb
from kgdb.lab.ranking import Judge
from kgdb.lab.reproduction.reproduction_report import markdown
from kgdb.lab.reproduction.spec import Reproduction
from kgdb.lab.reproduction.table_results import Result
from kgdb.lab.reproduction.table_runs import Runner, Sample
from tests.unit.served import Request, Response, Server, chat, failure, serving, user

pytestmark = pytest.mark.integration

FACTS = [
    ("Flu", "has_symptom", "Cough"),
    ("Flu", "has_symptom", "Fever"),
    ("Flu", "need_medication", "Tamiflu"),
    ("Asthma", "has_symptom", "Cough"),
    ("Asthma", "need_medication", "Albuterol"),
    ("Cough", "possible_disease", "Flu"),
    ("Cough", "possible_disease", "Asthma"),
    ("Fever", "possible_disease", "Flu"),
]
DIALOGUES = [
    ("Doctor, I have a cough. What is it?", "It may be flu. Take Tamiflu."),
    ("Doctor, I have a fever. What is it?", "It is flu. Take Tamiflu."),
    ("Doctor, I have cough and fever. What is it?", "Flu, so take Tamiflu."),
]
TABLE = """
title = "Paper, Table 1: dialogues"
paper = "Paper (Table 1)"
[[columns]]
title = "rank"
dataset = "genmedgpt"
measure = "rank"
scale = 1
[[published]]
row = "theirs"
values = { "rank" = 1.53 }
[[runs]]
row = "all of it"
method = "dialogue"
beside = "theirs"
[[runs]]
row = "a word"
method = "dialogue"
options = { described = 0 }
[[runs]]
row = "alone"
method = "llm"
"""


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as state:
        state.reply = likes_tamiflu
        yield state


@pytest.fixture
def sample(clean: kgdb.Connection, tmp_path: Path) -> Sample:
    load_facts(clean, tmp_path, "emckg", FACTS)
    folder = tmp_path / "data" / "genmedgpt-5k"
    folder.mkdir(parents=True)
    rows = [
        {"question": asked, "question_entities": [], "answer": said, "answer_entities": ["Flu"]}
        for asked, said in DIALOGUES
    ]
    lines = "".join(f"{json.dumps(row)}\n" for row in rows)
    (folder / "dev.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "table.toml").write_text(TABLE, encoding="utf-8")
    return Sample(tmp_path / "data", tmp_path / "out")


def likes_tamiflu(request: Request) -> Response:
    """A judge that talks, and to whom the answer is best that names the medication."""
    shown = re.findall(r"^Answer ([A-Z]): (.*)$", user(request), re.MULTILINE)
    ranks = {letter: 1 if "Tamiflu" in text else 2 for letter, text in shown}
    return chat(f"I compared them.\n```json\n{json.dumps(ranks)}\n```")


def ranked(connection: kgdb.Connection, sample: Sample, tmp_path: Path, server: Server) -> Result:
    name = f"openai:tiny@{server.url}"
    llm = connection.llm(name)
    assert llm is not None
    table = Reproduction.read(tmp_path / "tables" / "table.toml")
    return Runner(connection, sample, llm="none", judge=Judge(llm, "tiny")).run(table)


def ranks(result: Result) -> dict[str, float]:
    return {each.run.row: each.means["rank"].value for each in result.runs if each.means}


def test_the_rows_of_a_table_are_ranked_once(
    clean: kgdb.Connection, sample: Sample, server: Server, tmp_path: Path
) -> None:
    result = ranked(clean, sample, tmp_path, server)
    assert ranks(result) == {"all of it": 1.0, "a word": 2.0}
    assert len(server.requests) == 2 * len(DIALOGUES)
    page = markdown(result)
    assert "| **all of it** | kgdb | 1.00 (1.00 to 1.00) |" in page
    assert "**genmedgpt** was ranked by tiny, each question in two orders." in page
    assert "Kendall's tau-b between both orders is 1.00" in page
    (told,) = result.to_dict()["rankings"]
    assert (told["judge"], told["questions"], told["errors"]) == ("tiny", 3, 0)
    assert told["methods"]["all of it"]["wins"]["value"] == 1.0
    # Neither answers nor judgements are made again.
    assert markdown(ranked(clean, sample, tmp_path, server)) == page
    assert len(server.requests) == 2 * len(DIALOGUES)


def test_without_a_judge_the_page_says_that_ranks_are_not_measured(
    clean: kgdb.Connection, sample: Sample, tmp_path: Path
) -> None:
    table = Reproduction.read(tmp_path / "tables" / "table.toml")
    result = Runner(clean, sample, llm="none").run(table)
    assert result.rankings == ()
    assert ranks(result) == {}


def test_a_judge_that_fails_in_the_middle_is_named_and_the_same_command_goes_on(
    sample: Sample, server: Server, tmp_path: Path
) -> None:
    limited = failure(429, "rate limit reached")

    def reply(request: Request) -> Response:
        return limited if "I have a fever" in user(request) else likes_tamiflu(request)

    server.reply = reply
    tables, data = str(tmp_path / "tables"), str(sample.data)
    command = (
        *(
            "lab",
            "reproduce",
            "table",
            "--tables",
            tables,
            "--data",
            data,
            "--output",
            str(sample.folder),
        ),
        *("--llm", "none", "--no-cache", "--judge-llm", f"openai:tiny@{server.url}"),
    )
    done = run(*command)
    assert done.returncode == 0, done.stderr
    page = (sample.folder / "table.md").read_text(encoding="utf-8")
    assert "1 question has no ranks, as the judge failed" in page
    assert "rate limit reached" in page
    server.reply = likes_tamiflu
    server.requests.clear()
    done = run(*command, "--json")
    assert done.returncode == 0, done.stderr
    assert len(server.requests) == 2
    assert all("I have a fever" in user(each) for each in server.requests)
    (told,) = json.loads(done.stdout)[0]["rankings"]
    assert (told["questions"], told["errors"]) == (3, 0)
    assert told["judge"] == f"openai:tiny@{server.url}"
