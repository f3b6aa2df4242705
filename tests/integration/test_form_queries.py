"""Logical forms over graphs as users have them: loaded with literals, and adopted with properties.

What a form comes to in general is held against its definition in test_forms_twin.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import kgdb
from kgdb import loading
from kgdb.errors import DatabaseError, UsageError
from kgdb.graph import count_round_trips
from kgdb.graph.forms.operators import (
    Aggregate,
    And,
    Compare,
    Condition,
    Count,
    Filter,
    FilterLabel,
    Find,
    FindAll,
    GroupBy,
    Property,
    Qualifier,
    Relate,
    Select,
    SelectByCount,
    Verify,
)

pytestmark = pytest.mark.integration

TOWNS = [
    ("1", "Ostervik", "Town", "1241-05-01", "12000", "12.5", "true"),
    ("2", "Kaldnes", "Town", "1302", "7000", "3.25", "false"),
    ("3", "Brunnholm", "Town|Capital", "1999-03-31", "250000", "-1.5", "true"),
    ("4", "Norrland", "Country", "", "", "", ""),
]
FACTS = [("1", "lies_in", "4"), ("3", "lies_in", "4"), ("3", "twin_of", "1")]
COLUMNS = ("id", "name", "labels", "founded", "inhabitants", "altitude", "port")


@pytest.fixture(scope="module")
def towns(
    settings: Any, connection: kgdb.Connection, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, kgdb.KnowledgeGraph]]:
    """One graph twice: loaded, its values literals; adopted, its values properties."""
    folder = tmp_path_factory.mktemp("towns")
    write_csv(folder / "nodes.csv", COLUMNS, TOWNS)
    write_csv(folder / "edges.csv", ("head", "relation", "tail"), FACTS)
    with loading.prepare(loading.read_spec("csv"), folder) as prepared:
        loading.load(prepared, connection)
    connection.driver.execute_query(
        """
        UNWIND $towns AS town
        CREATE (t:Place:$(split(town[2], '|')))
        SET t += {key: toInteger(town[0]), name: town[1]}
        FOREACH (_ IN CASE WHEN town[3] = '' THEN [] ELSE [1] END |
          SET t += {founded: town[3], inhabitants: toInteger(town[4]),
                    altitude: toFloat(town[5]), port: toBoolean(town[6])})
        WITH collect(t) AS all
        UNWIND $facts AS fact
        UNWIND [t IN all WHERE t.key = toInteger(fact[0])] AS head
        UNWIND [t IN all WHERE t.key = toInteger(fact[2])] AS tail
        CREATE (head)-[r:$(fact[1])]->(tail)
        """,
        towns=TOWNS,
        facts=FACTS,
    )
    connection.adopt("places", "Place", id_property="key")
    yield {"loaded": connection.graph("csv"), "adopted": connection.graph("places")}
    for info in connection.graphs():
        if info.name in ("csv", "places"):
            loading.unload(connection, info)
    connection.driver.execute_query("MATCH (n:Place) DETACH DELETE n")


def write_csv(path: Path, columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    path.write_text("\n".join(map(",".join, [columns, *rows])) + "\n", encoding="utf-8")


ALL = FindAll("Town")
NORRLAND = Find("Norrland")
IN_IT = Relate(NORRLAND, "lies_in", "in")
FORMS: list[tuple[Any, Any]] = [
    (ALL, ["Brunnholm", "Kaldnes", "Ostervik"]),
    (Find("x", ("1", "3")), ["Brunnholm", "Ostervik"]),
    (IN_IT, ["Brunnholm", "Ostervik"]),
    (FilterLabel(IN_IT, "Capital"), ["Brunnholm"]),
    (Filter(ALL, "founded", "<", "1300"), ["Ostervik"]),
    (Filter(ALL, "founded", "=", "1302-01-01"), ["Kaldnes"]),
    (Filter(ALL, "founded", "=", "1999-03"), ["Brunnholm"]),
    (Filter(ALL, "inhabitants", ">=", 12_000), ["Brunnholm", "Ostervik"]),
    (Filter(ALL, "altitude", "<", 3.3), ["Brunnholm", "Kaldnes"]),
    (Filter(ALL, "port", "=", True), ["Brunnholm", "Ostervik"]),
    (Select(ALL, "altitude", "max"), ["Ostervik"]),
    (Select(ALL, "inhabitants", "min", 2), ["Kaldnes", "Ostervik"]),
    (SelectByCount(ALL, "lies_in", "min"), ["Kaldnes"]),
    (Compare(Find("Ostervik"), Find("Kaldnes"), "founded", "min"), ["Ostervik"]),
    (Compare(Find("Ostervik"), NORRLAND, "founded", "min"), []),
    (And(IN_IT, Relate(Find("Ostervik"), "twin_of", "any")), ["Brunnholm"]),
    (Count(ALL), 3),
    (Aggregate(Property(ALL, "inhabitants"), "sum"), 269_000),
    (Aggregate(Property(ALL, "altitude"), "mean"), 4.75),
    (Aggregate(Property(ALL, "founded"), "min"), "1241-05-01"),
    (Aggregate(Property(NORRLAND, "altitude"), "mean"), None),
    (Property(Find("Kaldnes"), "founded"), [("Kaldnes", "1302")]),
    (GroupBy(ALL, "lies_in"), [("Norrland", 2)]),
    (GroupBy(ALL, property="port", function="max", of="inhabitants"),
     [("true", 250_000), ("false", 7_000)]),
    (Verify(Property(Find("Ostervik"), "founded"), "<", 1300), True),
    (Verify(Property(Find("Ostervik"), "inhabitants"), ">", 100_000), False),
    (Verify(Property(NORRLAND, "inhabitants"), ">", 100_000), None),
    (Verify(Count(IN_IT), "=", 2), True),
    (Verify(Relate(Find("Kaldnes"), "lies_in")), False),
]  # fmt: skip


@pytest.mark.parametrize("how", ["loaded", "adopted"])
@pytest.mark.parametrize(("form", "expected"), FORMS, ids=lambda one: type(one).__name__)
def test_values_are_found_whichever_way_they_are_held(
    towns: dict[str, kgdb.KnowledgeGraph], how: str, form: Any, expected: Any
) -> None:
    with count_round_trips() as trips:
        result = towns[how].query(form)
    assert trips.count == 1
    if isinstance(expected, list) and (not expected or isinstance(expected[0], str)):
        assert sorted(each.entity.name for each in result.entities) == expected
    elif isinstance(expected, list):
        assert isinstance(result.value, tuple)
        assert [(each.entity.name, each.value) for each in result.value] == expected
    else:
        assert result.value == expected
        assert type(result.value) is type(expected)


@pytest.mark.parametrize("how", ["loaded", "adopted"])
def test_a_value_may_be_compared_with_that_of_others(
    towns: dict[str, kgdb.KnowledgeGraph], how: str
) -> None:
    def larger_than(value: Any) -> list[str]:
        found = towns[how].query(Filter(ALL, "inhabitants", ">", value)).entities
        return sorted(each.entity.name for each in found)

    assert larger_than(Property(Find("Kaldnes"), "inhabitants")) == ["Brunnholm", "Ostervik"]
    assert larger_than(Aggregate(Property(ALL, "inhabitants"), "mean")) == ["Brunnholm"]
    with pytest.raises(UsageError, match="with which others are to be compared"):
        larger_than(Property(ALL, "inhabitants"))


@pytest.mark.parametrize("how", ["loaded", "adopted"])
def test_the_schema_tells_types_however_they_are_held(
    towns: dict[str, kgdb.KnowledgeGraph], how: str
) -> None:
    schema = towns[how].schema
    # The other graph has these labels, too, and as many nodes.
    assert schema.labels == {"Town": 3, "Capital": 1, "Country": 1}
    assert {name: schema.properties[name].type for name in COLUMNS[3:]} == {
        "founded": "date", "inhabitants": "integer", "altitude": "float", "port": "boolean",
    }  # fmt: skip
    assert {name: p.relation for name, p in schema.properties.items()} == dict.fromkeys(
        COLUMNS[3:], how == "loaded"
    )
    lies_in = schema.relations["lies_in"]
    assert (lies_in.count, set(lies_in.heads), set(lies_in.tails)) == (
        2, {"Town", "Capital"}, {"Country"},
    )  # fmt: skip
    assert schema.relations["twin_of"].is_one_kind()


def test_without_the_plugin_it_is_the_same(towns: dict[str, kgdb.KnowledgeGraph]) -> None:
    with kgdb.connect(plugin="never") as plain:
        for kg in towns.values():
            other = plain.graph(kg.name)
            assert other.schema == kg.schema
            for form, _ in FORMS[::3]:
                assert other.query(form) == kg.query(form)


def test_json_is_a_form_as_well(towns: dict[str, kgdb.KnowledgeGraph]) -> None:
    kg = towns["loaded"]
    form = {"op": "Count", "form": {"op": "FindAll", "label": "Town"}}
    assert kg.query(form) == kg.query(Count(ALL))
    with pytest.raises(UsageError, match="Did you mean 'Town'"):
        kg.query('{"op": "FindAll", "label": "Towns"}')


@pytest.mark.parametrize("form", [ALL, Count(ALL), Property(ALL, "founded"), IN_IT])
def test_totals_are_exact_however_little_is_shown(
    towns: dict[str, kgdb.KnowledgeGraph], form: Any
) -> None:
    for kg in towns.values():
        whole, cut, none = (kg.query(form, limit=limit) for limit in (3, 1, 0))
        assert whole.total == cut.total == none.total == (2 if form is IN_IT else 3)
        assert (whole.truncated, cut.truncated, none.truncated) == (False, True, True)
        shown = (cut.entities or cut.evidence)[0]
        assert shown == (whole.entities or whole.evidence)[0]
        assert (none.entities, none.evidence) == ((), ())
    with pytest.raises(UsageError, match="limit is -1"):
        towns["loaded"].query(form, limit=-1)


ODD = 'O\'Brien "x" `y` $p0 \\ 雨 //'


@pytest.fixture
def odd(clean: kgdb.Connection) -> Iterator[kgdb.KnowledgeGraph]:
    """A graph whose names are hostile."""
    clean.driver.execute_query(
        """
        CREATE (a:Odd:`A``b c` {key: 'a', name: $odd, `a``b`: $odd, born: date('1999-03-31'),
                                supplierID: 'b', spot: point({x: 1.5, y: 2})})
        CREATE (b:Odd:Supplier {key: 'b', name: 'B', `a``b`: ['x', $odd], supplierID: 'b'})
        CREATE (a)-[:`x]-() DELETE n //` {`the ``role`: $odd, since: 1999}]->(b),
               (b)-[:`x]-() DELETE n //` {since: date('2001-02-03')}]->(b)
        """,
        odd=ODD,
    )
    clean.adopt("odd", "Odd", id_property="key")
    yield clean.graph("odd")
    clean.driver.execute_query("MATCH (n:Odd) DETACH DELETE n")


def test_hostile_names_and_values_are_names_and_values(odd: kgdb.KnowledgeGraph) -> None:
    relation = "x]-() DELETE n //"
    assert [e.entity.id for e in odd.query(Find(ODD)).entities] == ["a"]
    hop = Relate(Find(ODD), relation, "out", (Condition("the `role", "=", ODD),))
    (found,) = odd.query(hop).entities
    assert found.entity.id == "b"
    assert [str(step) for path in found.paths for step in path.steps] == [
        relation, relation, "the `role",
    ]  # fmt: skip
    assert odd.query(Count(FindAll("A`b c"))).value == 1
    assert odd.query(Count(Filter(FindAll(), "a`b", "=", ODD.upper()))).value == 2
    assert odd.query(Count(Filter(FindAll(), "a`b", "contains", "`y` $P0"))).value == 2
    (role,) = odd.query(Qualifier(Find(ODD), relation, "the `role")).value  # type: ignore[misc]
    assert (role.entity.id, role.value) == ("b", ODD)
    assert odd.query(Count(FindAll())).value == 2


def test_dates_of_the_database_and_points_are_plain_values(odd: kgdb.KnowledgeGraph) -> None:
    (born,) = odd.query(Property(Find(ODD), "born")).value  # type: ignore[misc]
    assert born.value == date(1999, 3, 31).isoformat()
    (spot,) = odd.query(Property(Find(ODD), "spot")).value  # type: ignore[misc]
    assert spot.value == "point({x: 1.5, y: 2.0})"
    since = Qualifier(Find("B"), "x]-() DELETE n //", "since", "any")
    assert odd.query(Aggregate(since, "max")).value == "2001-02-03"
    assert odd.query(Aggregate(since, "min")).value == "1999"


def test_foreign_keys_are_left_out_and_told(odd: kgdb.KnowledgeGraph) -> None:
    assert odd.schema.foreign_keys == ("supplierID",)
    assert set(odd.schema.properties) == {"a`b", "born", "spot"}
    with pytest.raises(UsageError, match="no property 'supplierID'"):
        odd.query(Property(FindAll(), "supplierID"))


def test_a_form_that_takes_too_long_is_ended(clean: kgdb.Connection) -> None:
    clean.driver.execute_query(
        """
        UNWIND range(1, 60) AS n CREATE (:Odd {key: n, name: toString(n)})
        WITH count(*) AS all MATCH (a:Odd), (b:Odd) CREATE (a)-[:r]->(b)
        """
    )
    clean.adopt("odd", "Odd", id_property="key")
    form: Any = FindAll()
    for _ in range(5):
        form = Relate(form, "r")
    try:
        with pytest.raises(DatabaseError, match="did not end within 300 ms") as failure:
            clean.graph("odd").query(Count(form), timeout_ms=300)
        assert "timeout_ms" in (failure.value.hint or "")
    finally:
        clean.driver.execute_query("MATCH (n:Odd) DETACH DELETE n")
