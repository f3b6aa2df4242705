"""The files that pages make by ``cat > FILE <<'END'``, loaded by the commands below them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from kgdb.cli.main import cli

pytestmark = pytest.mark.unit

PAGES = Path(__file__).parents[3] / "docs" / "how-to"
_FILE = re.compile(r"^\$ cat > (\S+) <<'END'\n(.*?)^END$", re.MULTILINE | re.DOTALL)
_LOAD = re.compile(r"^\$ kgdb (load \S+ (\S+).*)$", re.MULTILINE)

EXPECTED = {
    "birds.json": "3 triples, 2 entities, 2 literals, 3 relations",
    "films.cypher": "4 triples, 3 entities, 2 literals, 4 relations",
    "fish.obo": "2 triples, 3 entities, 2 relations",
    "wing.owl": "1 triple, 2 entities, 1 relation",
    "adams.json": "1 triple, 2 entities, 1 relation",
}


def blocks() -> list[tuple[str, str, str]]:
    """Each file with its content and the first command that loads it."""
    found = []
    for page in sorted(PAGES.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for match in _FILE.finditer(text):
            load = next(
                (each for each in _LOAD.finditer(text, match.end()) if each[2] == match[1]), None
            )
            if load:
                found.append((match[1], match[2], load[1]))
    return found


BLOCKS = blocks()


def test_every_file_has_a_count() -> None:
    assert {name for name, _, _ in BLOCKS} == set(EXPECTED)


@pytest.mark.parametrize(
    ("name", "content", "command"), BLOCKS, ids=[name for name, _, _ in BLOCKS]
)
def test_a_file_of_a_page_loads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: str, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(content, encoding="utf-8")
    arguments = shlex.split(command)
    result = CliRunner().invoke(
        cli, [*arguments, *(["--dry-run"] * ("--dry-run" not in arguments))]
    )
    assert result.exit_code == 0, result.output
    assert EXPECTED[name] in result.output
