"""Loading beside nodes and constraints of somebody else's, whose labels the source has too."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kgdb
from kgdb import loading
from kgdb.errors import LoadError, UsageError
from kgdb.progress import Event, Progress

pytestmark = pytest.mark.integration

SHOP = """
CREATE (ada:Customer {key: 1, name: 'Ada Weir'}), (bo:Customer {key: 2, name: 'Bo Lind'}),
       (tea:Product {key: 3, name: 'Tea'}), (ada)-[:BOUGHT]->(tea), (bo)-[:BOUGHT]->(tea)
"""
EXPORTED = [
    *(
        {"type": "node", "id": str(key), "labels": [label], "properties": {"name": name}}
        for key, label, name in [(1, "Customer", "Ada Weir"), (2, "Customer", "Bo Lind")]
    ),
    {"type": "node", "id": "3", "labels": ["Product"], "properties": {"name": "Tea"}},
    *(
        {"type": "relationship", "label": "BOUGHT", "start": {"id": head}, "end": {"id": "3"}}
        for head in "12"
    ),
]


@pytest.fixture
def db(clean: kgdb.Connection) -> Iterator[kgdb.Connection]:
    remove(clean)
    yield clean
    remove(clean)


def remove(db: kgdb.Connection) -> None:
    db.driver.execute_query("DROP CONSTRAINT mine IF EXISTS")
    db.driver.execute_query("MATCH (n:Customer|Product) WHERE NOT n:Entity DETACH DELETE n")


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    """What APOC writes of the shop."""
    path = tmp_path / "shop.json"
    path.write_text("".join(json.dumps(row) + "\n" for row in EXPORTED), encoding="utf-8")
    return path


def load(
    db: kgdb.Connection, loader: str, source: Path, name: str = "shop", **options: str
) -> loading.LoadResult:
    spec = loading.read_spec(loader).renamed(name)
    with loading.prepare(spec, source, options=options) as prepared:
        return loading.load(prepared, db)


def everything(db: kgdb.Connection) -> list[Any]:
    """All nodes, and the names of all constraints and indexes."""
    nodes, _, _ = db.driver.execute_query("MATCH (n) RETURN count(n), count(n.name)")
    constraints, _, _ = db.driver.execute_query("SHOW INDEXES YIELD name RETURN name ORDER BY name")
    return [[record.values() for record in records] for records in (nodes, constraints)]


def count(db: kgdb.Connection, label: str) -> int:
    records, _, _ = db.driver.execute_query(
        "MATCH (n) WHERE $label IN labels(n) RETURN count(n) AS count", label=label
    )
    return int(records[0]["count"])


def test_an_export_beside_its_original_is_refused_before_anything_is_written(
    db: kgdb.Connection, exported: Path
) -> None:
    db.driver.execute_query(SHOP)
    before = everything(db)
    with pytest.raises(
        UsageError, match="'Customer', 'Product', and the database has nodes"
    ) as refused:
        load(db, "apoc", exported)
    for way_out in ("kgdb adopt", "--instance", "--set labels=no"):
        assert way_out in (refused.value.hint or "")
    assert everything(db) == before
    assert load(db, "apoc", exported, labels="no").loaded
    assert count(db, "Customer") == 2
    assert load(db, "apoc", exported, labels="no").loaded is False


def test_other_loaders_give_no_labels_of_somebody_elses_either(
    db: kgdb.Connection, tmp_path: Path
) -> None:
    db.driver.execute_query(SHOP)
    before = everything(db)
    (tmp_path / "edges.csv").write_text("head,relation,tail\na,likes,b\n")
    (tmp_path / "nodes.csv").write_text("id,labels\na,Customer\n")
    with pytest.raises(UsageError, match="'Customer', and the database has nodes"):
        load(db, "csv", tmp_path)
    (tmp_path / "edges.jsonl").write_text('{"head": "a", "relation": "likes", "tail": "b"}\n')
    (tmp_path / "nodes.jsonl").write_text('{"id": "a", "labels": ["Product"]}\n')
    with pytest.raises(UsageError, match="'Product', and the database has nodes"):
        load(db, "jsonl", tmp_path)
    assert everything(db) == before


@pytest.mark.parametrize("constrained", ["Customer", "Entity", "Shop"])
def test_constraints_that_would_stop_it_half_way_are_told_before(
    db: kgdb.Connection, exported: Path, constrained: str
) -> None:
    db.driver.execute_query(
        f"CREATE CONSTRAINT mine FOR (n:{constrained}) REQUIRE n.name IS UNIQUE"
        if constrained != "Entity"
        else "CREATE CONSTRAINT mine FOR (n:Entity) REQUIRE (n.id, n.value) IS UNIQUE"
    )
    before = everything(db)
    with pytest.raises(UsageError, match=f"'{constrained}', which this graph .*: 'mine'") as told:
        load(db, "apoc", exported)
    assert "DROP CONSTRAINT" in (told.value.hint or "")
    assert everything(db) == before


def test_a_constraint_on_a_property_that_kgdb_does_not_write_is_no_obstacle(
    db: kgdb.Connection, exported: Path
) -> None:
    db.driver.execute_query("CREATE CONSTRAINT mine FOR (n:Customer) REQUIRE n.email IS UNIQUE")
    assert load(db, "apoc", exported).loaded


def test_graphs_that_kgdb_loaded_share_the_labels_of_their_sources(
    db: kgdb.Connection, exported: Path
) -> None:
    load(db, "apoc", exported)
    load(db, "apoc", exported, "again")
    assert count(db, "Customer") == 4


def test_a_constraint_that_comes_up_meanwhile_is_named_with_what_helps(
    db: kgdb.Connection, exported: Path
) -> None:
    """What the hint of before said could not work: the same command was stopped by the same."""

    def interfere(event: Event) -> None:
        if isinstance(event, Progress) and event.stage == "loading entities" and not event.done:
            db.driver.execute_query(
                "CREATE CONSTRAINT mine FOR (n:Customer) REQUIRE n.name IS UNIQUE"
            )
            db.driver.execute_query("CREATE (:Customer {name: 'Ada Weir'})")

    spec = loading.read_spec("apoc").renamed("shop")
    with (
        loading.prepare(spec, exported) as prepared,
        pytest.raises(LoadError, match="already exists with label `Customer`") as stopped,
    ):
        loading.load(prepared, db, report=interfere)
    assert "drop that constraint" in (stopped.value.hint or "")
    assert "kgdb remove shop" in (stopped.value.hint or "")
