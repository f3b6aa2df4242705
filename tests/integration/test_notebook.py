"""The tutorial as a notebook: it runs from its first cell to its last and shows what it says."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import kgdb

pytestmark = pytest.mark.integration

NOTEBOOK = Path(__file__).parents[2] / "docs" / "tutorial" / "first-answers.ipynb"


def test_the_notebook_is_kept_without_outputs() -> None:
    """They differ from run to run; who wants to see them runs it."""
    cells = [cell for cell in nbformat.read(NOTEBOOK, 4).cells if cell.cell_type == "code"]
    assert [(cell.outputs, cell.execution_count) for cell in cells] == [([], None)] * len(cells)


def test_the_notebook_runs_and_shows_answers(demo: kgdb.KnowledgeGraph, tmp_path: Path) -> None:
    notebook = nbformat.read(NOTEBOOK, 4)
    client = NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
    )
    client.execute()
    outputs = [each for cell in notebook.cells for each in cell.get("outputs", ())]
    assert [each for each in outputs if each.get("name") == "stderr"] == []
    shown = [each.data["text/html"] for each in outputs if "text/html" in each.get("data", {})]
    graph, writers, directors, unknown, verdict, text, form, frame, paths = shown
    assert "DemoFilm" in graph
    assert "Nell Castlebrook" in writers
    assert "understood as: who directed the films starring Ada Weir?" in directors
    assert "I don&#x27;t know, because no relation around" in unknown
    assert "REFUTED" in verdict
    assert "1 SUPPORTED, 1 REFUTED" in text
    assert "A Small Apocalypse in Norbury" in form
    assert "entities" in frame
    for kind in ("number", "yes-no", "unknown", "verdict"):
        assert f"<td>{kind}</td>" in frame
    for picture in (graph, writers, directors, verdict, form, paths):
        assert "<svg" in picture
    assert not any("<script" in each for each in shown)
