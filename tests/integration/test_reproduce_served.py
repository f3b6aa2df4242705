"""A table by a model behind an OpenAI-compatible server, beside the one without a model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command import run
from reproduced import read_table, write_films

import kgdb
from kgdb.lab.reproduction.reproduction_report import markdown
from kgdb.lab.reproduction.table_results import Result
from kgdb.lab.reproduction.table_runs import Runner, Sample
from tests.unit.served import Request, Response, Server, chat, failure, serving

pytestmark = pytest.mark.integration


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as state:
        state.reply = likes_directors
        yield state


@pytest.fixture
def sample(clean: kgdb.Connection, tmp_path: Path) -> Sample:
    return write_films(clean, tmp_path)


def likes_directors(request: Request) -> Response:
    """A model that keeps to schemas, likes directing best, and else says the first that it may."""
    schema = request["response_format"]["json_schema"]["schema"]
    return chat(json.dumps({name: _any(of) for name, of in schema["properties"].items()}))


def _any(schema: dict[str, Any]) -> Any:
    if schema.get("type") == "array":
        return [_any(schema["items"])]
    choices = schema.get("enum", ["Noor Haddad"])
    return next((each for each in choices if "direct" in each), choices[0])


def reproduced(connection: kgdb.Connection, sample: Sample, tmp_path: Path, llm: str) -> Result:
    return Runner(connection, sample, llm=llm).run(read_table(tmp_path))


def asked(tmp_path: Path, sample: Sample) -> tuple[str, ...]:
    tables, data = str(tmp_path / "tables"), str(sample.data)
    return "lab", "reproduce", "table", "--tables", tables, "--data", data


def scores(result: Result) -> dict[str, float | None]:
    return {
        result.called(each): each.means["1-hop"].value if each.means else None
        for each in result.runs
    }


def test_the_page_has_the_rows_of_both_models_side_by_side(
    clean: kgdb.Connection, sample: Sample, server: Server, tmp_path: Path
) -> None:
    llm = f"openai:tiny@{server.url}"
    before = reproduced(clean, sample, tmp_path, "none")
    assert scores(before) == {
        "RefKG": pytest.approx(2 / 3),
        "neighbors": pytest.approx(1 / 3),
        "alone": None,
    }
    both = reproduced(clean, sample, tmp_path, llm)
    assert [(each.run.row, each.models.split(",")[0]) for each in both.runs] == [
        ("RefKG", "llm none"),
        ("RefKG", f"llm {llm}"),
        ("neighbors", "llm none"),
        ("neighbors", f"llm {llm}"),
        ("alone", f"llm {llm}"),
    ]
    assert server.requests
    page = markdown(both)
    lines = page.splitlines()
    theirs = next(place for place, line in enumerate(lines) if line.startswith("| theirs"))
    assert lines[theirs + 1].startswith("| **RefKG, llm none** | kgdb | 66.7 (")
    assert lines[theirs + 2].startswith(f"| **RefKG, llm {llm}** | kgdb | ")
    assert "was not run" not in page
    # Whichever was asked last, the page is the same, and nobody is asked again.
    count = len(server.requests)
    assert markdown(reproduced(clean, sample, tmp_path, "none")) == page
    assert markdown(reproduced(clean, sample, tmp_path, llm)) == page
    assert len(server.requests) == count


@pytest.mark.endurance
def test_a_server_that_fails_in_the_middle_is_named_and_the_same_command_goes_on(
    clean: kgdb.Connection, sample: Sample, server: Server, tmp_path: Path
) -> None:
    limited = failure(429, "rate limit reached")
    failing = "who directed Grey Harbour"

    def reply(request: Request) -> Response:
        told = request["messages"][0]["content"]
        return limited if failing in told else likes_directors(request)

    server.reply = reply
    command = asked(tmp_path, sample)
    llm = ("--llm", f"openai:tiny@{server.url}", "--output", str(sample.folder), "--no-cache")
    done = run(*command, *llm)
    assert "rate limit reached" in done.stderr
    page = (sample.folder / "table.md").read_text(encoding="utf-8")
    assert "**alone**: 1 question ended in an error and counts as wrong" in page
    assert "rate limit reached" in page
    assert done.returncode == 0, done.stderr
    server.reply = likes_directors
    server.requests.clear()
    assert run(*command, *llm).returncode == 0
    # What was answered is not asked again.
    assert server.requests
    assert all(failing in each["messages"][0]["content"] for each in server.requests)
    page = (sample.folder / "table.md").read_text(encoding="utf-8")
    assert "error" not in page
    whole = run(*command, *llm[:-2], str(tmp_path / "undisturbed"), "--no-cache")
    assert whole.returncode == 0
    assert (tmp_path / "undisturbed" / "table.md").read_text(encoding="utf-8") == page


def test_a_server_that_is_down_stops_its_rows_and_not_the_others(
    clean: kgdb.Connection, sample: Sample, server: Server, tmp_path: Path
) -> None:
    server.says(failure(401, "no such key"))
    command = asked(tmp_path, sample)
    llm = ("--llm", f"openai:tiny@{server.url}", "--output", str(sample.folder), "--json")
    done = run(*command, *llm)
    assert done.returncode == 1
    rows = {each["row"]: each for each in json.loads(done.stdout)[0]["rows"]}
    assert "every question ended in an error" in rows["alone"]["skipped"]
    assert not rows["alone"]["scores"]
    page = (sample.folder / "table.md").read_text(encoding="utf-8")
    assert "**alone** was stopped: every question ended in an error" in page
    assert "no such key" in page
    assert "The same command goes on." in page
