"""The pages on graphs of one's own work as they say: by copy and paste, in an empty folder."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from kgdb.cli.main import cli

pytestmark = pytest.mark.unit

DOCS = Path(__file__).parents[3] / "docs"


def commands(page: str) -> list[str]:
    """The commands of the page in their order, each with the text that it is given."""
    blocks = re.findall(
        r"^```console\n(.*?)^```", (DOCS / page).read_text(encoding="utf-8"), re.M | re.S
    )
    return [
        each.strip() for block in blocks for each in re.split(r"^\$ ", block, flags=re.M) if each
    ]


COUNTS = {
    "birds.json": "3 triples, 2 entities, 2 literals, 3 relations",
    "fish.obo": "2 triples, 3 entities, 2 relations",
    "wing.owl": "1 triple, 2 entities, 1 relation",
    "adams.json": "1 triple, 2 entities, 1 relation",
}
"""What a reader counts in the files of the pages."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "number"),
    [
        ("tutorial/your-own-graph.md", 8),
        ("how-to/graph-files.md", 4),
        ("how-to/known-graphs.md", 1),
    ],
)
def test_every_command_can_be_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: str, number: int
) -> None:
    monkeypatch.chdir(tmp_path)
    loads = 0
    for command in commands(page):
        words = shlex.split(command, comments=True)
        if words[0] != "kgdb":
            subprocess.run(["sh", "-ec", command], check=True)
        elif words[1] == "load":
            # What needs a database is left out.
            dry = [] if {"--init", "--dry-run"}.intersection(words) else ["--dry-run"]
            done = CliRunner().invoke(cli, [*words[1:], *dry])
            assert done.exit_code == 0, f"{command}\n{done.output}{done.exception}"
            assert "skipped:" not in done.stdout
            assert all(COUNTS[word] in done.stdout for word in words if word in COUNTS)
            loads += 1
    assert loads == number
