"""The commands of README.md and the tutorials work as they stand there, and print what is shown."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import kgdb

pytestmark = pytest.mark.integration

ROOT = Path(__file__).parents[2]
PAGES = (
    "README.md",
    "docs/tutorial/first-answers.md",
    "docs/tutorial/your-own-graph.md",
    "docs/how-to/graph-files.md",
    "docs/how-to/known-graphs.md",
)

NOT_RUN = {
    "make demo": "installs kgdb; its commands are those of the tutorial",
    "make test": "runs this test",
    "make wheel": "builds with Maven",
    "pip install": "installs kgdb",
    'kgdb answer "…" --llm openai:': "needs a model server",
    "kgdb down": "stops the server of all tests",
}
"""How commands begin that are not run, and why."""

COUNTS = {
    "kgdb load node-link birds.json --as birds": ("= triples loaded 3", "entities 2", "literals 2"),
    "kgdb load obo fish.obo": ("= triples loaded 2", "entities 3", "relations 2"),
    "kgdb load owl wing.owl": ("= triples loaded 1", "entities 2", "relations 1"),
    "kgdb load wikidata-json adams.json": ("= triples loaded 1", "entities 2", "relations 1"),
}
"""What a reader counts in the files of the pages, by the command that loads one."""


class Shown(NamedTuple):
    """A command of a page, with the lines that the page shows below it."""

    command: str
    output: list[str]


def shown(page: str) -> Iterator[Shown]:
    """The commands of a page in their order."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for block in re.findall(r"^```(?:console|sh)\n(.*?)^```", text, re.M | re.S):
        if not block.startswith("$ "):
            yield from (Shown(line, []) for line in block.splitlines())
            continue
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            if "<<'END'" in part:
                yield Shown(part, [])
            else:
                command, *output = part.splitlines()
                yield Shown(command, output)


def comparable(text: str) -> str:
    """A line without what differs from run to run: seconds, dates, the width of a table."""
    text = re.sub(r"\d+\.\d\d s\b", "N s", text)
    text = re.sub(r"\d{4}-\d\d-\d\d", "DATE", text)
    return " ".join(re.sub("─+", "─", text).split())


def missing(wanted: list[str], printed: str) -> list[str]:
    """The lines of a page that a command did not print, or not in this order; … is any of them."""
    rest = iter([comparable(line) for line in printed.splitlines()])
    lines = [line for line in map(comparable, wanted) if line not in ("", "…")]
    return [line for line in lines if line not in rest]


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The variables of a shell in which ``kgdb`` is the command of this checkout."""
    programs = tmp_path / "bin"
    programs.mkdir()
    program = programs / "kgdb"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m kgdb "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}


@pytest.fixture
def taken_as_given(
    page: str, connection: kgdb.Connection, clean: kgdb.Connection, tmp_path: Path
) -> Iterator[None]:
    """What README.md takes as given: a file of the tutorial, and nodes in Neo4j."""
    if page != "README.md":
        yield
        return
    (tmp_path / "cities.csv").write_text("head,relation,tail\nPorto,on_river,Douro\n")
    connection.driver.execute_query(
        "CREATE (:Actor {name: 'Ada'})-[:ACTED_IN]->(:Film {name: 'X'})"
    )
    yield
    connection.driver.execute_query("MATCH (n) WHERE n:Actor OR n:Film DETACH DELETE n")


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.usefixtures("demo", "taken_as_given")
def test_the_commands_of_a_page_work_as_it_shows(
    page: str, tmp_path: Path, shell: dict[str, str]
) -> None:
    failed = []
    for command, output in shown(page):
        if command.startswith(tuple(NOT_RUN)):
            continue
        done = subprocess.run(
            ["sh", "-ec", command], cwd=tmp_path, env=shell, capture_output=True, text=True,
            stdin=subprocess.DEVNULL, check=False, timeout=300,
        )  # fmt: skip
        # An answer that is not there is no error, but a program has to see it.
        code = 3 if any("I don't know" in line for line in output) else 0
        counts = next(
            (
                each
                for begin, each in COUNTS.items()
                if command.startswith(begin) and "--dry-run" not in command
            ),
            (),
        )
        lost = missing([*output, *counts], done.stdout)
        if done.returncode != code or lost:
            failed.append(
                f"$ {command}\nexit code {done.returncode}, not printed: {lost}\n"
                f"{done.stdout}{done.stderr}"
            )
    assert not failed, "\n".join(failed)


def test_what_is_not_run_stands_on_a_page() -> None:
    commands = [each.command for page in PAGES for each in shown(page)]
    assert [
        start for start in NOT_RUN if not any(each.startswith(start) for each in commands)
    ] == []
