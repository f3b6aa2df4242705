"""Labels that belong to another graph: refused, with whose they are and what to type."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from three_fields import SPEC

from kgdb.errors import UsageError
from kgdb.graph import Database
from kgdb.loading import LoaderSpec, load, prepare

pytestmark = pytest.mark.unit


class Nodes:
    """The statements by which a database tells its labels: those of its graphs, and others."""

    def __init__(self, labels: dict[str, set[str]], others: set[str]) -> None:
        self.labels = labels
        self.others = others

    def run(self, name: str, **places: str) -> list[dict[str, Any]]:
        label = places.get("label", "")
        if name == "graphs":
            return [{"graph": {"name": each.lower(), "label": each}} for each in self.labels]
        if name == "adopt/shared":
            return [{"shared": label in self.labels[places["other"]]}]
        return [{"used": label in self.others.union(*self.labels.values())}]


def refused(nodes: Nodes, spec: LoaderSpec, tmp_path: Path, lines: str = "a|r|b\n") -> UsageError:
    source = tmp_path / "kb.txt"
    source.write_text(lines)
    with prepare(spec, source) as prepared, pytest.raises(UsageError) as failure:
        load(prepared, cast(Database, nodes))
    return failure.value


def test_two_names_that_make_one_label(tmp_path: Path) -> None:
    error = refused(Nodes({"AB": set()}, set()), replace(SPEC, name="a_b", label="AB"), tmp_path)
    assert error.message == "The label 'AB' belongs to the graph 'ab'."
    assert "another name with --as" in (error.hint or "")


def test_a_label_that_another_graph_gives_its_entities(tmp_path: Path) -> None:
    nodes = Nodes({"Places": {"Places", "Town"}, "Films": {"Films"}}, set())
    error = refused(nodes, SPEC.renamed("town"), tmp_path)
    assert error.message == "Entities of the graph 'places' are labelled 'Town'."
    assert "another name with --as" in (error.hint or "")


def test_a_label_of_nodes_of_somebody_else(tmp_path: Path) -> None:
    error = refused(Nodes({"Films": {"Films"}}, {"Town"}), SPEC.renamed("town"), tmp_path)
    assert "'Town' that kgdb did not load" in error.message


def test_a_label_of_the_source_that_is_another_graphs(tmp_path: Path) -> None:
    tables = replace(SPEC.tables, entities="SELECT head AS id, ['Films'] AS labels FROM source")
    error = refused(Nodes({"Films": set()}, set()), replace(SPEC, tables=tables), tmp_path)
    assert "labels entities 'Films', which is a label of the graph 'films'" in error.message
