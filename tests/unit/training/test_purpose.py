"""An adapter that was trained for one graph says so on another, and once its phrases change."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import neo4j
import pytest

from kgdb import language
from kgdb.connection import Connection
from kgdb.lab.training.corpus import RelationRow, wordings
from kgdb.lab.training.relations.purpose import purpose
from kgdb.language.encoders.adapter import CONFIG
from kgdb.methods.chains.adapter_purpose import mismatch
from kgdb.progress import Event, Message
from kgdb.settings import Settings
from kgdb.values import Step

pytestmark = pytest.mark.unit


@dataclass(frozen=True)
class Texts:
    text: str | None = None
    inverse: str | None = None
    question: str | None = None
    inverse_question: str | None = None


TEXTS = {
    "directed_by": Texts("the director of", "the films of"),
    "has_genre": Texts("the genre of", "the films of genre"),
}


def row(graph: str, *chain: str) -> RelationRow:
    steps = [Step.parse(each) for each in chain]
    return RelationRow("who?", chain, wordings(steps, TEXTS), graph=graph)


ROWS = [row("films", "directed_by"), row("films", "^directed_by", "has_genre"),
        row("films", "has_genre"), row("films", "directed_by")]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return written(tmp_path, purpose(ROWS))


def written(folder: Path, trained_for: object) -> Path:
    (folder / CONFIG).write_text(json.dumps({"trained_for": trained_for}), encoding="utf-8")
    return folder


def test_on_its_own_graph_an_adapter_says_nothing(folder: Path) -> None:
    assert mismatch(folder, "films", TEXTS) is None
    more = TEXTS | {"starring": Texts()}
    assert mismatch(folder, "films", more) is None


def test_on_another_graph_it_names_both(folder: Path) -> None:
    notice = mismatch(folder, "songs", TEXTS)
    assert notice
    assert "for the graph 'films' alone; on 'songs'" in notice


def test_phrases_that_changed_are_named(folder: Path) -> None:
    changed = TEXTS | {"has_genre": replace(TEXTS["has_genre"], text="the kind of")}
    notice = mismatch(folder, "films", changed)
    assert notice
    assert "other phrases of 1 relation of 2, such as 'has_genre'" in notice
    gone = {"has_genre": TEXTS["has_genre"]}
    assert "'directed_by'" in (mismatch(folder, "films", gone) or "")


def test_an_adapter_of_several_graphs_says_nothing(tmp_path: Path) -> None:
    assert purpose([*ROWS, row("songs", "has_genre")]) is None
    assert purpose([row("", "has_genre")]) is None
    assert mismatch(written(tmp_path, None), "songs", TEXTS) is None


def test_a_relation_that_rows_put_in_two_ways_is_not_compared() -> None:
    other = replace(ROWS[0], wordings=("someone who directed this",))
    found = purpose([*ROWS, other, ROWS[0]])
    assert found
    assert list(found["phrases"]) == ["has_genre"]


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{", '{"trained_for": 7}', '{"trained_for": {"graph": "a", "phrases": [1]}}',
     '{"trained_for": {"graph": "a", "phrases": {"b": 1}}}', "[" * 100_000],
)  # fmt: skip
def test_a_description_of_another_form_says_nothing(tmp_path: Path, content: str) -> None:
    (tmp_path / CONFIG).write_text(content, encoding="utf-8")
    assert mismatch(tmp_path, "films", TEXTS) is None
    assert mismatch(tmp_path / "none", "films", TEXTS) is None


def test_a_connection_reports_it_once_for_each_graph(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    monkeypatch.setattr(language, "load_relation_encoder", lambda _: object())
    server = SimpleNamespace(agent="Neo4j/5.26.0")
    monkeypatch.setattr(neo4j.Driver, "get_server_info", lambda *_, **__: server)
    events: list[Event] = []
    with Connection(
        Settings(uri="bolt://127.0.0.1:1", encoder=f"minilm+{folder}"), events.append
    ) as connection:
        for name in ("films", "songs", "films", "songs", "plays"):
            graph: Any = SimpleNamespace(name=name, relations=TEXTS)
            assert connection.relation_encoder(None, graph)
        connection.relation_encoder()
    said = [event.text for event in events if isinstance(event, Message)]
    assert len(said) == 2
    assert "on 'songs'" in said[0]
    assert "on 'plays'" in said[1]
