"""A node of an adopted graph may have an empty id, by which no load would know it: that is told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from kgdb.errors import UsageError
from kgdb.graph import Database, GraphInfo
from kgdb.loading import adopt, export
from kgdb.progress import Event, Message

pytestmark = pytest.mark.unit

TEXT = "STRING NOT NULL"


class Nodes:
    """A database of nodes with these ids, and nothing between them."""

    def __init__(self, *ids: str) -> None:
        self.ids = ids

    def run(self, name: str, parameters: Any = None, /, **_: str) -> list[dict[str, Any]]:
        match name:
            case "labels":
                return [{"labels": ["Film"]}]
            case "adopt/node_counts":
                return [{"counts": [len(self.ids)], "nodes": len(self.ids)}]
            case "adopt/properties":
                return [
                    {
                        "property": "name",
                        "type": TEXT,
                        "nodes": len(self.ids),
                        "different": len(self.ids),
                        "longest": 9,
                        "length": 9.0,
                        "examples": [f"Film {letter}" for letter in "ab"],
                    }
                ]
            case "adopt/ids":
                return [{"id": TEXT, "nodes": len(self.ids)}]
            case "adopt/empty_id":
                return [{"found": parameters["empty"] in self.ids}]
            case "adopt/types":
                return [{"types": []}]
        return []

    def stream(self, name: str, /, *_: Any, **__: str) -> Iterator[list[dict[str, Any]]]:
        if name == "export/entities":
            row = {"name": "x", "aliases": [], "labels": [], "mediator": False}
            yield [{"id": one, **row} for one in self.ids]


def told(ids: tuple[str, ...], folder: Path | None) -> str:
    """What is told while such a graph is adopted, or exported."""
    events: list[Event] = []
    database = cast(Database, Nodes(*ids))
    if folder is None:
        with pytest.raises(UsageError, match="No relationship"):
            adopt(database, "films", "Film", id_property="id", report=events.append)
    else:
        info = GraphInfo("films", ("Film",), "-", "ready", "-", "-", 0, 1, 0, None, adopted=True)
        export(database, info, folder, report=events.append)
    return "\n".join(event.text for event in events if isinstance(event, Message))


@pytest.mark.parametrize("adopted", [True, False])
def test_an_empty_id_is_told(tmp_path: Path, adopted: bool) -> None:
    folders = (None, None) if adopted else (tmp_path / "1", tmp_path / "2")
    assert "the empty text as" in told(("a", ""), folders[0])
    assert "empty" not in told(("a", " "), folders[1])
