"""Random typed graphs and random forms for the differential test, and how a graph is written."""

from __future__ import annotations

from datetime import date
from typing import Any

from neo4j.time import Duration
from reference.form_values import text
from reference.forms import Edge, FormWorld, Node
from worlds import Dice

import kgdb
from kgdb.graph.forms import operators as forms
from kgdb.graph.schema import PropertyInfo, RelationEnds, Schema

KG, LABEL = "forms", "Forms"
RELATIONS = ("r", "played `by`", "kennt 雨", "x]-() DETACH DELETE n //")
LABELS = ("Left", "Far `right` one")
QUALIFIERS = {"since": "date", "the `role`": "text", "weight": "float"}
TYPES = {
    "height": "float",
    "count}": "integer",
    "born": "date",
    "effort": "duration",
    "is alive": "boolean",
    "a `motto`": "text",
    "tags": "text",
    "scores": "integer",
}
RANKED = ("integer", "float", "date", "duration")
TYPES_WITH_RELATIONS = TYPES | dict.fromkeys(RELATIONS, "text")
"""A relation may be read as a property: its values are the names of its tails."""

_NAMES = ("Ann", "ann", 'O\'Neill "x"', "$p0", "`Bo`", "雨", None, "7", "Ann")
_DATES = ("1999", "1999-03", "1999-03-31", "2004-02-29", "1998-12-31T10:00:00Z", "2004", "1066")
_PERIODS = ("1999", "1999-03", "1999-01-01", "2004-02", "1998-12-31", "1066-05-01", 1999, 2000)
_DURATIONS = ("PT8H", "PT480M", "P1D", "-PT2H", "P1M", "P1Y2DT0.5S", "P2W")
_NUMBERS = (0, 1, -1, 2, 7, 10, 1.5, -0.25, 2.0, 1e3)
_WHOLE = (0, 1, 2, 3, 7, 10, -4)
_TEXTS = ("Größe", "größe", 'it\'s "so"', "$limit", "`", "a.b*", "雨の日", "", "x' OR true //")


def draw_value(dice: Dice, kind: str) -> Any:
    """A value of a property of that type, in any of the ways in which such are held."""
    match kind:
        case "integer":
            return dice.choice(_WHOLE)
        case "float":
            return dice.choice(_NUMBERS)
        case "boolean":
            return dice.chance(0.5)
        case "date":
            held: list[Any] = [dice.choice(_DATES), 1999, 2004, date(1999, 3, 31), "long ago"]
            return dice.choice(held)
        case "duration":
            spent: list[Any] = [*_DURATIONS, Duration(hours=8), Duration(days=1), "soon", "P"]
            return dice.choice(spent)
    return dice.choice(_TEXTS)


def draw_wanted(dice: Dice, kind: str) -> Any:
    """A value of a form."""
    own = {"date": _PERIODS, "duration": _DURATIONS}
    return dice.choice(own[kind]) if kind in own else draw_value(dice, kind)


def draw_condition(dice: Dice, name: str, kind: str) -> forms.Condition:
    ops = ["=", "!="] if kind == "boolean" else ["=", "!=", "<", "<=", ">", ">="]
    if kind == "text" or dice.chance(0.1):
        ops = ["contains", "starts with", "="] if kind != "boolean" else ops
    op: Any = dice.choice(ops)
    return forms.Condition(name, op, draw_wanted(dice, kind))


def draw_world(dice: Dice) -> FormWorld:
    held = frozenset(name for name in TYPES if dice.chance(0.5)) if dice.chance(0.5) else ()
    nodes = [draw_node(dice, number, frozenset(held)) for number in range(dice.randint(3, 8))]
    entities = range(len(nodes))
    relations = dice.some(RELATIONS, 1, 3)
    edges = []
    for _ in range(dice.randint(2, 16)):
        properties = {
            name: [draw_value(dice, kind)] * 2 if dice.chance(0.1) else draw_value(dice, kind)
            for name, kind in QUALIFIERS.items()
            if dice.chance(0.5)
        }
        ends = dice.choice(entities), dice.choice(entities)
        edges.append(Edge(*ends, dice.choice(relations), properties))
        if dice.chance(0.15):  # parallel, sometimes in all its properties
            edges.append(Edge(*ends, edges[-1].relation, properties if dice.chance(0.5) else {}))
    for node in entities:
        for name in sorted(held):
            for _ in range(dice.choice((0, 1, 1, 2))):
                value = text(draw_value(dice, TYPES[name])) or "-"
                literal = Node(f"literal {len(nodes)}", value, frozenset(), literal=True)
                edges.append(Edge(node, len(nodes), name))
                nodes.append(literal)
    return FormWorld(
        tuple(nodes), tuple(edges), TYPES_WITH_RELATIONS, frozenset(held) | set(RELATIONS)
    )


def draw_node(dice: Dice, number: int, held: frozenset[str]) -> Node:
    properties = {
        name: draw_value(dice, kind)
        for name, kind in TYPES.items()
        if name not in held and name not in ("tags", "scores") and dice.chance(0.7)
    }
    for name in sorted({"tags", "scores"} - held):
        if dice.chance(0.6):
            properties[name] = [draw_value(dice, TYPES[name]) for _ in range(dice.randint(0, 3))]
    return Node(
        f"{number}" if number % 2 else f"n'{number}`",
        dice.choice(_NAMES),
        frozenset(label for label in LABELS if dice.chance(0.5)),
        properties,
        inside=dice.chance(0.9),
        mediator=dice.chance(0.1),
    )


def schema_of(world: FormWorld) -> Schema:
    """The schema as it would be read, had there been enough to read."""
    properties = {
        name: PropertyInfo(name, kind, {}, (), name in world.held)  # type: ignore[arg-type]
        for name, kind in TYPES.items()
    }
    qualifiers = tuple(
        PropertyInfo(name, kind, {}, ())  # type: ignore[arg-type]
        for name, kind in QUALIFIERS.items()
    )
    relations = {name: RelationEnds(name, 1, {}, {}, qualifiers) for name in sorted(world.held)}
    return Schema(dict.fromkeys(LABELS, 1), properties, relations)


# ---- forms


def draw_form(dice: Dice, world: FormWorld) -> forms.Form:
    depth = dice.choice((1, 2, 2, 3, 3, 4))
    kind = dice.choice(("entities", "entities", "values", "groups", "count", "aggregate", "verify"))
    match kind:
        case "values":
            return draw_values(dice, world, depth)
        case "groups":
            return draw_groups(dice, world, depth)
        case "count":
            return draw_count(dice, world, depth)
        case "aggregate":
            return draw_aggregate(dice, world, depth)
        case "verify":
            return draw_verify(dice, world, depth)
    return draw_entities(dice, world, depth)


def draw_entities(dice: Dice, world: FormWorld, depth: int, superlatives: int = 3) -> Any:
    if depth <= 0:
        return draw_start(dice, world)

    def inner(rest: int = superlatives) -> Any:
        return draw_entities(dice, world, depth - 1, rest)

    kinds = ["hop", "hop", "hop", "label", "filter", "filter", "count", "both", "start"]
    if superlatives:
        kinds += ["select", "select_by_count", "select_by_qualifier", "compare"]
    direction: Any = dice.choice(("out", "in", "any"))
    relation = dice.choice([e.relation for e in world.edges])
    extreme: Any = dice.choice(("max", "min"))
    ranked = dice.choice([n for n, kind in TYPES.items() if kind in RANKED])
    match dice.choice(kinds):
        case "hop":
            names = dice.some(list(QUALIFIERS), 0, 2) if dice.chance(0.3) else []
            where = tuple(draw_condition(dice, name, QUALIFIERS[name]) for name in names)
            return forms.Relate(inner(), relation, direction, where, dice.chance(0.2))
        case "label":
            return forms.FilterLabel(inner(), dice.choice(LABELS))
        case "filter":
            name = dice.choice(list(TYPES_WITH_RELATIONS))
            test = draw_condition(dice, name, TYPES_WITH_RELATIONS[name])
            return forms.Filter(inner(), name, test.op, test.value)
        case "count":
            op: Any = dice.choice(("=", "!=", "<", "<=", ">", ">="))
            number, events = dice.randint(0, 3), dice.chance(0.4)
            to = draw_ends(dice, world)
            return forms.FilterByCount(inner(), relation, op, number, direction, to, events)
        case "both":
            kind = dice.choice((forms.And, forms.Or, forms.Except))
            return kind(inner(), inner())
        case "select":
            return forms.Select(inner(superlatives - 1), ranked, extreme, dice.choice((1, 1, 2, 9)))
        case "select_by_count":
            of, k = inner(superlatives - 1), dice.choice((1, 1, 2))
            to, events = draw_ends(dice, world), dice.chance(0.4)
            return forms.SelectByCount(of, relation, extreme, direction, k, to, events)
        case "select_by_qualifier":
            of, k = inner(superlatives - 1), dice.choice((1, 1, 2))
            name = dice.choice([n for n, kind in QUALIFIERS.items() if kind in ("float", "date")])
            function = draw_function(dice, QUALIFIERS[name]) if dice.chance(0.5) else None
            to = draw_entities(dice, world, 1) if dice.chance(0.3) else None
            return forms.SelectByQualifier(of, relation, name, extreme, direction, function, to, k)
        case "compare":
            both = inner(superlatives - 1), inner(superlatives - 1)
            return forms.Compare(*both, ranked, extreme)
    return draw_start(dice, world)


def draw_ends(dice: Dice, world: FormWorld) -> Any:
    """What the other ends of counted relationships are: anything, a label, or a set."""
    if dice.chance(0.3):
        return draw_entities(dice, world, 1, superlatives=0)
    label = dice.choice((None, None, *LABELS))
    return None if label is None else forms.FindAll(label)


def draw_count(dice: Dice, world: FormWorld, depth: int) -> forms.Count:
    of = draw_entities(dice, world, depth)
    return forms.Count(of, forms.last_hop(of) is not None and dice.chance(0.6))


def draw_start(dice: Dice, world: FormWorld) -> Any:
    node = dice.choice(world.nodes)
    if dice.chance(0.3):
        return forms.FindAll(dice.choice((None, *LABELS)))
    if dice.chance(0.5) and node.name is not None:
        return forms.Find(node.name)
    ids = (node.id, dice.choice(world.nodes).id, "nobody")
    return forms.Find("some", ids[: dice.randint(1, 3)])


def draw_values(dice: Dice, world: FormWorld, depth: int, *, ordered: bool = False) -> Any:
    of = draw_entities(dice, world, depth - 1)
    if dice.chance(0.6):
        names = [n for n, kind in TYPES_WITH_RELATIONS.items() if not ordered or kind in RANKED]
        return forms.Property(of, dice.choice(names))
    names = [name for name, kind in QUALIFIERS.items() if not ordered or kind in RANKED]
    to = draw_entities(dice, world, 1) if dice.chance(0.4) else None
    direction: Any = dice.choice(("out", "in", "any"))
    relation = dice.choice([e.relation for e in world.edges])
    return forms.Qualifier(of, relation, dice.choice(names), direction, to)


def draw_aggregate(dice: Dice, world: FormWorld, depth: int) -> forms.Aggregate:
    values = draw_values(dice, world, depth, ordered=True)
    return forms.Aggregate(values, draw_function(dice, kind_of(values)))


def draw_function(dice: Dice, kind: str) -> Any:
    return dice.choice(
        ("min", "max") if kind in ("date", "duration") else ("sum", "mean", "min", "max")
    )


def draw_groups(dice: Dice, world: FormWorld, depth: int) -> forms.GroupBy:
    of = draw_entities(dice, world, depth - 1)
    function = value = None
    if dice.chance(0.6):
        value = dice.choice([n for n, kind in TYPES.items() if kind in RANKED])
        function = draw_function(dice, TYPES[value])
    direction: Any = dice.choice(("out", "in", "any"))
    if dice.chance(0.6):
        relation = dice.choice([e.relation for e in world.edges])
        if dice.chance(0.3):
            name = dice.choice([n for n, kind in QUALIFIERS.items() if kind in ("float", "date")])
            function = draw_function(dice, QUALIFIERS[name])
            return forms.GroupBy(of, relation, direction, None, function, qualifier=name)
        if function is None and dice.chance(0.5):
            return forms.GroupBy(of, relation, direction, relationships=True)
        return forms.GroupBy(of, relation, direction, None, function, value)
    return forms.GroupBy(of, None, "out", dice.choice(list(TYPES_WITH_RELATIONS)), function, value)


def draw_verify(dice: Dice, world: FormWorld, depth: int) -> forms.Verify:
    compares: Any = dice.choice(("=", "!=", "<", "<=", ">", ">="))
    match dice.choice(("set", "values", "values", "count", "aggregate")):
        case "values":
            values = draw_values(dice, world, depth)
            if dice.chance(0.2):
                return forms.Verify(values)
            test = draw_condition(dice, "", kind_of(values))
            return forms.Verify(values, test.op, test.value)
        case "count":
            of = draw_count(dice, world, depth - 1)
            return forms.Verify(of, compares, dice.choice((0, 1, 2, 1.5, "2")))
        case "aggregate":
            number = draw_aggregate(dice, world, depth)
            kind = kind_of(number.values)
            return forms.Verify(number, compares, draw_wanted(dice, kind))
    return forms.Verify(draw_entities(dice, world, depth))


def kind_of(values: Any) -> str:
    """The type of the values of a form."""
    is_property = isinstance(values, forms.Property)
    return TYPES_WITH_RELATIONS[values.property] if is_property else QUALIFIERS[values.property]


# ---- the database


def write(db: kgdb.Connection, world: FormWorld) -> None:
    """Replace what is in the database's test graph."""
    nodes = [
        {"labels": ["FormsTest", *node.labels, *own_labels(node)],
         "properties": {**node.properties, "key": int(node.id) if node.id.isdigit() else node.id,
                        **({} if node.name is None else {"title": node.name})}}
        for node in world.nodes
    ]  # fmt: skip
    edges = [
        {"source": e.source, "target": e.target, "relation": e.relation, "properties": e.properties}
        for e in world.edges
    ]
    db.driver.execute_query(
        """
        OPTIONAL MATCH (old:FormsTest)
        DETACH DELETE old
        WITH count(*) AS gone
        CALL () {
          UNWIND $nodes AS node
          CREATE (n:$(node.labels)) SET n = node.properties
          RETURN collect(n) AS nodes
        }
        UNWIND $edges AS edge
        WITH nodes[edge.source] AS source, nodes[edge.target] AS target, edge
        CREATE (source)-[r:$(edge.relation)]->(target) SET r = edge.properties
        """,
        nodes=nodes,
        edges=edges,
    )


def own_labels(node: Node) -> list[str]:
    """The labels that kgdb gives."""
    inside = [LABEL] if node.inside else []
    return inside + ["Literal"] * node.literal + ["Mediator"] * node.mediator


def prepare(db: kgdb.Connection) -> None:
    """The bookkeeping of the test graph."""
    db.driver.execute_query(
        f"MERGE (g:KnowledgeGraph {{name: '{KG}'}}) SET g.label = '{LABEL}', g.state = 'ready', "
        "g.idProperty = 'key', g.nameProperty = 'title'"
    )


def remove(db: kgdb.Connection) -> None:
    for text_ in ("MATCH (n:FormsTest) DETACH DELETE n",
                  f"MATCH (g:KnowledgeGraph {{name: '{KG}'}}) DELETE g"):  # fmt: skip
        db.driver.execute_query(text_)
