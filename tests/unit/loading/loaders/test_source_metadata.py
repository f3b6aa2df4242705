"""The title and licence that an export brings with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kgdb.errors import UsageError
from kgdb.loading import LoaderSpec, prepare, read_spec

pytestmark = pytest.mark.unit

FILMS = {"name": "films", "title": "Films of the coast", "licence": "CC BY 4.0", "counts": {}}
TRIPLE = "<urn:kgdb:films:entity:a> <urn:kgdb:films:relation:b> <urn:kgdb:films:entity:c> .\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "graph.nt").write_text(TRIPLE)
    return tmp_path


def prepared(source: Path, name: str = "again") -> LoaderSpec:
    with prepare(read_spec("exported-ntriples").renamed(name), source) as read:
        return read.spec


@pytest.mark.parametrize("named", ["", "graph.nt"])
def test_a_graph_has_the_title_and_licence_that_it_was_exported_with(
    folder: Path, named: str
) -> None:
    (folder / "graph.json").write_text(json.dumps(FILMS))
    spec = prepared(folder / named)
    assert (spec.name, spec.title, spec.licence) == ("again", "Films of the coast", "CC BY 4.0")


def test_a_graph_whose_title_was_its_name_has_its_new_name(folder: Path) -> None:
    (folder / "graph.json").write_text(json.dumps(FILMS | {"title": "films"}))
    assert prepared(folder).title == "again"


def test_what_the_file_does_not_say_is_the_loaders(folder: Path) -> None:
    (folder / "graph.json").write_text('{"licence": "MIT"}')
    spec = prepared(folder)
    assert (spec.title, spec.licence) == ("again: An exported graph", "MIT")


def test_without_the_file_it_has_those_of_the_loader(folder: Path) -> None:
    spec = prepared(folder)
    assert (spec.title, spec.licence) == ("again: An exported graph", "unknown")


def test_the_content_is_the_same_whatever_the_title(folder: Path) -> None:
    """Another title alone is no other graph."""
    hashes = set()
    for title in ("Films of the coast", "Films"):
        (folder / "graph.json").write_text(json.dumps(FILMS | {"title": title}))
        with prepare(read_spec("exported-ntriples"), folder) as read:
            hashes.add(read.sha256)
    assert len(hashes) == 1


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "cannot be read as JSON"),
        ("[" * 100_000, "cannot be read as JSON"),
        ("\udcff", "cannot be read as JSON"),
        ("[]", "is not a JSON object"),
        ('{"title": 7}', "has 'title': 7; expected a text"),
        ('{"licence": ""}', "has 'licence': ''; expected a text"),
    ],
)
def test_a_file_that_is_broken_is_refused(folder: Path, text: str, problem: str) -> None:
    file = folder / "graph.json"
    file.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(UsageError) as refused:
        prepared(folder)
    assert refused.value.message.startswith(str(file))
    assert problem in refused.value.message
