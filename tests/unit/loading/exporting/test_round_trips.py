"""Load, export, load again: the same graph, with the properties of facts and their types."""

from __future__ import annotations

import re
from datetime import date, datetime
from pathlib import Path

import duckdb
import pyoxigraph as rdf
import pytest
from stored_graph import StoredGraph, stored

pytestmark = pytest.mark.unit

FACTS = """
(VALUES
  ('a', 'visits', 'b', DATE '2020-02-29', 3, 0.5, true, 'a "quoted" \\ text', ['x', 'y "z"'],
   '2020-01-01', NULL),
  ('a', 'visits', 'b', DATE '2021-01-01', 3, 2.0, false, 'two
lines', ['x'], '2021-01-01', TIMESTAMP '2020-01-02 10:00:00.5'),
  ('a', 'visits', 'b', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('a', 'visits', 'c', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('b', 'knows of', 'c', NULL, -9007199254740993, 1e300, NULL, '0171', NULL, NULL, NULL))
AS facts (head, relation, tail, date, times, "a score", sure, note, roles, code, seen)
"""
LITERALS = """
(VALUES ('a', 'size', '3', 'http://www.w3.org/2001/XMLSchema#integer', NULL, DATE '2011-01-01'),
        ('a', 'size', '3', 'http://www.w3.org/2001/XMLSchema#integer', NULL, DATE '2021-01-01'),
        ('a', 'size', '3', NULL, NULL, DATE '2021-01-01'),
        ('a', 'motto', 'semper', NULL, 'la', NULL))
AS literals (head, relation, value, datatype, language, date)
"""
TYPES = {
    "date": "DATE",
    "times": "BIGINT",
    "a_score": "DOUBLE",
    "sure": "BOOLEAN",
    "note": "VARCHAR",
    "roles": "VARCHAR[]",
    "code": "VARCHAR",
    "seen": "TIMESTAMP",
}


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> StoredGraph:
    folder = tmp_path_factory.mktemp("source")
    tables = {
        "triples": FACTS,
        "literals": LITERALS,
        "entities": "(VALUES ('a', 'Ada', ['A.'], ['Person'], false), "
        "('m', 'm', NULL, NULL, true)) AS entities (id, name, aliases, labels, mediator)",
        "relations": "(VALUES ('visits', 'the place that {} visits', NULL, NULL, NULL)) "
        "AS relations (id, text, inverse, question, inverse_question)",
    }
    with duckdb.connect() as connection:
        for name, rows in tables.items():
            target = folder / f"{name}.parquet"
            connection.execute(f"COPY (FROM {rows}) TO '{target}' (FORMAT parquet)")
    return stored("exported", folder)


FORMATS = {"parquet": "exported", "ntriples": "exported-ntriples"}


@pytest.mark.parametrize("file_format", FORMATS)
def test_the_same_graph_comes_back(graph: StoredGraph, tmp_path: Path, file_format: str) -> None:
    again = stored(FORMATS[file_format], graph.export(tmp_path / "out", file_format))
    assert again.content() == graph.content()
    assert again.qualifiers == graph.qualifiers == TYPES
    held = {
        name: value
        for row in again.rows["export/triples"]
        for name, value in row["properties"].items()
        if row["properties"].get("date") == date(2021, 1, 1)
    }
    assert held == {
        "date": date(2021, 1, 1),
        "times": 3,
        "a_score": 2.0,
        "sure": False,
        "note": "two\nlines",
        "roles": ["x"],
        "code": "2021-01-01",
        "seen": datetime(2020, 1, 2, 10, 0, 0, 500000),
    }
    second = again.export(tmp_path / "second", file_format)
    for path in second.iterdir():
        assert path.read_bytes() == (tmp_path / "out" / path.name).read_bytes()


def test_other_programs_read_the_annotations(graph: StoredGraph, tmp_path: Path) -> None:
    """A parser of RDF 1.2 finds a node for each fact with properties, and one for each without."""
    path = graph.export(tmp_path / "out", "ntriples") / "graph.nt"
    quads = list(rdf.parse(path=str(path), format=rdf.RdfFormat.N_TRIPLES))
    facts = [quad for quad in quads if re.search("#reifies", str(quad.predicate))]
    assert len(facts) == 3 + 1 + 3
    assert len([q for q in quads if str(q.predicate) == "<urn:kgdb:unqualified>"]) == 1
    asserted = {(q.subject, q.predicate, q.object) for q in quads}
    assert all(tuple(quad.object)[:3] in asserted for quad in facts)
