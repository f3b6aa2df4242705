"""Writes the graph file of a test, and says what becomes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgdb.errors import KgdbError
from kgdb.loading import prepare, read_spec
from kgdb.loading.drafting import write_draft

XSD = "http://www.w3.org/2001/XMLSchema#"


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def notes(loader: str, source: Path, **options: str) -> tuple[str, ...]:
    with prepare(read_spec(loader), source, options=options) as prepared:
        return prepared.notes


def skipped(loader: str, source: Path) -> list[tuple[int | None, str]]:
    """Line and problem of each element that is skipped."""
    with prepare(read_spec(loader), source) as prepared:
        return [(each.line, each.problem) for each in prepared.malformed]


def refusal(loader: str, source: Path) -> KgdbError:
    with pytest.raises(KgdbError) as failure, prepare(read_spec(loader), source):
        pass
    return failure.value


def advice(source: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The command that --init gives instead of a loader file."""
    monkeypatch.chdir(source.parent)
    with pytest.raises(KgdbError) as failure:
        write_draft("drafted", source)
    return str(failure.value.hint)
