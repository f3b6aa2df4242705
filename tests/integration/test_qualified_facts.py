"""Facts with properties of their own: stored with their types, shown, asked for, exported."""

from __future__ import annotations

from contextlib import AbstractContextManager
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

import kgdb
from kgdb import loading
from kgdb.runtime import LocalServer
from kgdb.settings import load_settings

pytestmark = pytest.mark.integration

VISITS = """head,relation,tail,date,delegates,score,official,note,seen
Mara Lind,Make a visit,Sundia,2014-05-13,4,0.5,true,"a ""small"" one",2014-05-13T10:00:00
Mara Lind,Make a visit,Sundia,2015-01-01,12,2,false,,
Mara Lind,Make a visit,Ostia,2015-03-01,,,,"two
lines",
Jon Dahl,Make a visit,Sundia,2012-07-01,3,1,true,,
Mara Lind,Praise,Ostia,2015-03-02,,,,,
"""
STORED = [
    ("Jon Dahl", "Sundia", {"date": date(2012, 7, 1), "delegates": 3, "score": 1.0,
                            "official": True}),
    ("Mara Lind", "Ostia", {"date": date(2015, 3, 1), "note": "two\nlines"}),
    ("Mara Lind", "Ostia", {"date": date(2015, 3, 2)}),
    ("Mara Lind", "Sundia", {"date": date(2014, 5, 13), "delegates": 4, "score": 0.5,
                             "official": True, "note": 'a "small" one',
                             "seen": datetime(2014, 5, 13, 10)}),
    ("Mara Lind", "Sundia", {"date": date(2015, 1, 1), "delegates": 12, "score": 2.0,
                             "official": False}),
]  # fmt: skip


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("visits") / "visits.csv"
    path.write_text(VISITS, encoding="utf-8")
    return path


@pytest.fixture
def visits(clean: kgdb.Connection, source: Path) -> kgdb.KnowledgeGraph:
    return load(clean, "csv", source, "visits")


def load(db: kgdb.Connection, loader: str, source: Path, name: str) -> kgdb.KnowledgeGraph:
    with loading.prepare(loading.read_spec(loader).renamed(name), source) as prepared:
        loading.load(prepared, db)
    return db.graph(name)


def stored(db: kgdb.Connection, label: str) -> list[tuple[str, str, dict[str, Any]]]:
    rows = db.driver.execute_query(
        f"MATCH (h:{label})-[r]->(t) RETURN h.id, t.id, properties(r) ORDER BY h.id, t.id, r.date"
    ).records
    return [
        (
            head,
            tail,
            {
                name: value.to_native() if hasattr(value, "to_native") else value
                for name, value in held.items()
            },
        )
        for head, tail, held in rows
    ]


def test_values_have_their_types(clean: kgdb.Connection, visits: kgdb.KnowledgeGraph) -> None:
    assert stored(clean, "Visits") == STORED
    assert set(visits.info.qualifiers) == {
        "date", "delegates", "score", "official", "note", "seen",
    }  # fmt: skip


@pytest.mark.local_server
@pytest.mark.usefixtures("short_lives")
def test_an_import_gives_the_same(home: Path, source: Path) -> None:
    settings = load_settings(
        {"KGDB_HOME": str(home)}, instance="qualified", heap="512m", page_cache="128m"
    )
    server = LocalServer(settings)

    def connect() -> AbstractContextManager[kgdb.Connection]:
        endpoint = server.start()
        return kgdb.connect(endpoint.uri, username=endpoint.username, password=endpoint.password)

    try:
        with loading.prepare(loading.read_spec("csv").renamed("visits"), source) as prepared:
            result = loading.load_auto(prepared, server, connect, mode="offline")
        assert set(result.graph.qualifiers) >= {"date", "score"}
        with connect() as db:
            assert stored(db, "Visits") == STORED
    finally:
        server.reset()


@pytest.mark.parametrize(
    ("file_format", "loader"), [("parquet", "exported"), ("ntriples", "exported-ntriples")]
)
def test_an_export_loads_as_the_same_graph(
    clean: kgdb.Connection,
    visits: kgdb.KnowledgeGraph,
    tmp_path: Path,
    file_format: str,
    loader: str,
) -> None:
    loading.export(clean, visits.info, tmp_path / "out", file_format=file_format)
    again = load(clean, loader, tmp_path / "out", "again")
    assert stored(clean, "Again") == STORED
    assert set(again.info.qualifiers) == set(visits.info.qualifiers)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which place did Mara Lind visit in 2014?", {"Sundia"}),
        ("Which place did Mara Lind visit in 2015?", {"Sundia", "Ostia"}),
        ("When did Mara Lind praise Ostia?", {"2015-03-02"}),
        ("When did Mara Lind visit Sundia?", {"2014-05-13", "2015-01-01"}),
        ("How many places did Mara Lind visit in 2015?", {"2"}),
        ("Did Mara Lind visit Sundia in 2015?", {"True"}),
        ("Did Mara Lind visit Ostia in 2014?", {"False"}),
    ],
)
def test_questions_may_ask_for_them_and_by_them(
    visits: kgdb.KnowledgeGraph, question: str, answers: set[str]
) -> None:
    answer = visits.answer(question, llm="none")
    assert given(answer) == answers, answer.interpretation or answer.reason


def given(answer: kgdb.Answer) -> set[str]:
    if isinstance(answer.value, tuple):
        return {str(each.value) for each in answer.value}
    if answer.value is not None:
        return {str(answer.value)}
    return {answered.entity.name for answered in answer.entities}


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("Mara Lind visited Sundia in 2014.", "SUPPORTED"),
        ("Mara Lind visited Sundia in 2019.", "NOT ENOUGH EVIDENCE"),
        ("Mara Lind visited Ostia before 2014.", "NOT ENOUGH EVIDENCE"),
    ],
)
def test_claims_are_judged_by_them(visits: kgdb.KnowledgeGraph, claim: str, label: str) -> None:
    assert visits.verify(claim, llm="none").label == label


@pytest.mark.parametrize("method", ["refkg", "rok", "gotr", "neighbors"])
def test_evidence_shows_them(visits: kgdb.KnowledgeGraph, method: str) -> None:
    """Each relationship of a fact with its own values, which are never mixed."""
    answer = visits.answer("Who did Mara Lind praise?", llm="none", method=method)
    shown = {
        (path.entities[0].name, str(path.steps[-1]), path.entities[-1].name)
        for path in answer.evidence
        if len(path.steps) == 2
    }
    assert ("Mara Lind", "date", "2015-03-02") in shown


FACTS = [
    ("c1", "twin of", "c2", {"since": date(1999, 3, 31), "weight": 2.5}),
    ("c1", "twin of", "c2", {"since": date(2004, 1, 1)}),
    {"head": "c2", "relation": "on", "tail": "Douro"},
]


def test_rows_of_a_program_become_a_graph(clean: kgdb.Connection) -> None:
    nodes = [
        {"id": "c1", "name": "Porto", "labels": ["City"], "inhabitants": 231800},
        {"id": "c2", "name": "Brest", "labels": ["City"]},
        {"id": "Douro", "labels": ["River"]},
    ]
    result = loading.load_facts(clean, iter(FACTS), "rows", nodes=nodes)
    assert (result.graph.triples, set(result.graph.qualifiers)) == (4, {"since", "weight"})
    graph = clean.graph("rows")
    assert given(graph.answer("Since when is Porto a twin of Brest?", llm="none")) == {
        "1999-03-31", "2004-01-01",
    }  # fmt: skip


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_data_frame_becomes_a_graph(clean: kgdb.Connection, library: str) -> None:
    frames = pytest.importorskip(library)
    columns = {
        "head": ["a", "a"], "relation": ["r", "r"], "tail": ["b", "c"],
        "since": [1999, 2004], "code": ["0171", "12"], "open": [True, False],
    }  # fmt: skip
    loading.load_facts(clean, frames.DataFrame(columns), "frames")
    rows = clean.driver.execute_query(
        "MATCH (:Frames)-[r]->(t) RETURN t.id, properties(r) ORDER BY t.id"
    ).records
    assert [tuple(row) for row in rows] == [
        ("b", {"since": 1999, "code": "0171", "open": True}),
        ("c", {"since": 2004, "code": "12", "open": False}),
    ]
