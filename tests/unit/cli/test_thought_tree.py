"""A graph of thought in the terminal."""

from __future__ import annotations

from typing import Any

import pytest
from rich.console import Console

from kgdb.cli.thought import thought_tree

pytestmark = pytest.mark.unit


def drawn(output: dict[str, Any]) -> str:
    console = Console(width=100, color_system=None)
    with console.capture() as capture:
        console.print(thought_tree(output))
    return capture.get()


def node(name: str, *entities: str, anchor: bool = True) -> dict[str, Any]:
    return {"name": name, "variable": "v", "labels": [], "entities": entities, "anchor": anchor}


def edge(type_: str, *found: dict[str, Any]) -> dict[str, Any]:
    relations = {"directed_by": 0.9, "^written_by": 0.3}
    return {"source": 0, "type": type_, "target": 1, "relations": relations, "found": list(found)}


def test_a_thought_beside_the_facts_found() -> None:
    found = {"relation": "^starred_actors", "count": 3, "facts": [["Heat", "starred_actors", "Al"]]}
    thought = {
        "nodes": [node("al", "Al"), node("film", "Heat", anchor=False)],
        "edges": [edge("acted in", found), edge("made by")],
    }
    output = {
        "thought": thought,
        "drawn_by": "language model",
        "scripts": ["SET a", "CREATE (a)"],
        "errors": ["line 1: no"],
    }
    assert drawn(output) == (
        "graph of thought drawn by the language model\n"
        "├── as the language model wrote it\n"
        "│   └── SET a\n"
        "├── refused: line 1: no\n"
        "├── as the language model wrote it, mended\n"
        "│   └── CREATE (a)\n"
        "├── names\n"
        "│   ├── al is Al\n"
        "│   └── film is Heat (what the model believes)\n"
        "├── al –acted in→ film\n"
        "│   └── found as ^starred_actors, 3 facts\n"
        "│       ├── Heat –starred_actors→ Al\n"
        "│       └── … and 2 more\n"
        "└── al –made by→ film\n"
        "    └── not found (looked for directed_by, ^written_by)\n"
    )


@pytest.mark.parametrize("name", ["[bold]x[/bold]", "[/]", "x\\", "a\nb", "[red]", "😀" * 200])
def test_names_are_shown_and_never_obeyed(name: str) -> None:
    found = {"relation": name, "count": 1, "facts": [[name, name, name]]}
    shown = drawn(
        {"thought": {"nodes": [node(name, name), node(name)], "edges": [edge(name, found)]}}
    )
    assert name.split("\n", maxsplit=1)[0][:10] in shown


@pytest.mark.parametrize("text", ["\x1b[2J", "\x1b]0;title\x07", "\x9b2J", "\u202eesrever"])
def test_nothing_in_it_can_steer_the_terminal(text: str) -> None:
    found = {"relation": text, "count": 1, "facts": [[text, text, text]]}
    nodes = [node(text, text), node(text, text, anchor=False)]
    edges = [edge(text, found), edge(text) | {"relations": {text: 0.5}}]
    shown = drawn(
        {
            "thought": {"nodes": nodes, "edges": edges},
            "drawn_by": text,
            "scripts": [f"CREATE {text}\n{text}"],
            "errors": [text],
        }
    )
    assert not set(shown) & set("\x1b\x07\x9b\u202e")
    places = 19
    assert shown.count("\ufffd") == places * len(set(text) & set("\x1b\x07\x9b\u202e"))


@pytest.mark.parametrize("output", [{}, {"thought": {"nodes": [], "edges": []}}])
def test_no_thought_is_said(output: dict[str, Any]) -> None:
    assert "nothing was thought" in drawn(output)
