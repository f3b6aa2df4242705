"""Which relations say in a property what their relationships mean."""

from __future__ import annotations

import pytest

from kgdb.graph.schema import PropertyInfo, RelationEnds, Schema
from kgdb.loading.adopting.adopted_relations import find_kinds

pytestmark = pytest.mark.unit


def schema(relation: str, name: str, *values: object, others: tuple[str, ...] = ()) -> Schema:
    kind = "text" if all(isinstance(value, str) for value in values) else "integer"
    info = PropertyInfo(name, kind, {"": 9}, values)  # type: ignore[arg-type]
    ends = {each: RelationEnds(each, 9, {}, {}) for each in others}
    return Schema({}, {}, {relation: RelationEnds(relation, 9, {}, {}, (info,)), **ends})


@pytest.mark.parametrize(
    ("relation", "name", "values"),
    [
        ("RELATES_TO", "name", ("LIVES_IN", "WORKS_AT")),
        ("RELATED", "type", ("LIKES", "KNOWS2", "CEO_OF")),
        ("EDGE", "relation_type", ("LIKES", "KNOWS")),
        ("LINK", "predicate", ("LIKES", "KNOWS")),
    ],
)
def test_values_that_are_written_as_types_are_kinds(
    relation: str, name: str, values: tuple[str, ...]
) -> None:
    kind = find_kinds(schema(relation, name, *values))[relation]
    assert (kind.property, kind.values) == (name, tuple(sorted(values)))
    assert kind.statement == (
        f"MATCH (a)-[r:`{relation}`]->(b) WHERE r.`{name}` <> '' "
        f"CREATE (a)-[typed:$(r.`{name}`)]->(b) SET typed = properties(r)"
    )


@pytest.mark.parametrize(
    ("name", "values", "others"),
    [
        ("role", ("NEO", "TRINITY"), ()),
        ("name", ("lives in", "works at"), ()),
        ("name", ("Neo", "Trinity"), ()),
        ("type", ("HOME",), ()),  # one value tells nothing apart
        ("type", (1, 2), ()),
        ("name", ("LIVES_IN", "WORKS_AT"), ("LIVES_IN",)),  # it is a type already
    ],
)
def test_other_properties_are_none(
    name: str, values: tuple[object, ...], others: tuple[str, ...]
) -> None:
    assert find_kinds(schema("RELATES_TO", name, *values, others=others)) == {}
