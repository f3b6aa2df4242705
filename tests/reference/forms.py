"""What a logical form comes to, by its definition: sets and lists in Python, nothing clever."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from kgdb.graph.forms.operators import (
    Aggregate,
    And,
    Compare,
    Condition,
    Count,
    Except,
    Filter,
    FilterByCount,
    FilterLabel,
    Find,
    FindAll,
    GroupBy,
    Or,
    Property,
    Qualifier,
    Relate,
    Select,
    SelectByCount,
    SelectByQualifier,
    Verify,
    is_label,
)
from reference.form_values import compared, flat, fulfils, ordered, reduced, text


@dataclass(frozen=True)
class Node:
    """A node; its properties hold single values or lists."""

    id: str
    name: str | None
    labels: frozenset[str]
    properties: dict[str, Any] = field(default_factory=dict)
    inside: bool = True
    literal: bool = False
    mediator: bool = False

    @property
    def shown(self) -> str:
        return self.id if self.name is None else self.name


@dataclass(frozen=True)
class Edge:
    """A relationship between nodes by their numbers."""

    source: int
    target: int
    relation: str
    properties: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class FormWorld:
    """A typed graph. ``types`` has each property's type, ``held`` those that are relations."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    types: dict[str, str]
    held: frozenset[str] = frozenset()

    def values(self, node: int, name: str) -> list[Any]:
        if name not in self.held:
            return flat(self.nodes[node].properties.get(name))
        ends = [self.nodes[e.target] for e in self.edges if (e.source, e.relation) == (node, name)]
        return [end.shown for end in ends if end.inside]

    def hops(self, node: int, relation: str, direction: str) -> list[tuple[int, int]]:
        """The relationships at a node, each with its other end."""
        found = []
        for number, edge in enumerate(self.edges):
            if edge.relation != relation:
                continue
            if direction in ("out", "any") and edge.source == node:
                found.append((number, edge.target))
            if direction in ("in", "any") and edge.target == node:
                found.append((number, edge.source))
        return [(n, end) for n, end in dict.fromkeys(found) if self.nodes[end].inside]


@dataclass(frozen=True)
class Evaluator:
    """Evaluates forms over one world; entities are the numbers of its nodes."""

    world: FormWorld
    qualifier_types: dict[str, str]

    def entities(self, form: Any) -> set[int]:
        world = self.world
        match form:
            case Find(name=name, ids=ids):
                inside = [n for n, node in enumerate(world.nodes) if node.inside]
                if ids:
                    return {n for n in inside if world.nodes[n].id in ids}
                return {n for n in inside if world.nodes[n].name == name}
            case FindAll(label=label):
                return {
                    n
                    for n, node in enumerate(world.nodes)
                    if node.inside and not node.literal and not node.mediator
                    and (label is None or label in node.labels)
                }  # fmt: skip
            case And():
                return self.entities(form.left) & self.entities(form.right)
            case Or():
                return self.entities(form.left) | self.entities(form.right)
            case Except():
                return self.entities(form.left) - self.entities(form.right)
            case Select() | SelectByCount() | SelectByQualifier() | Compare():
                return set(self.ranks(form))
            case FilterByCount() if not is_label(form.to):
                of = self.entities(form.form)
                return {n for n in of if compared(self._ends(n, form), form.op, form.value)}
        return self._chain(form)

    def ranks(self, form: Any) -> dict[int, Any]:
        """Those with the extreme values, each with what the best come first by."""
        match form:
            case Select(form=inner, property=name, extreme=extreme, k=k):
                of, least = self.entities(inner), 1
            case Compare(left=left, right=right, property=name, extreme=extreme):
                of, least, k = self.entities(left) | self.entities(right), 2, 1
            case SelectByCount(form=inner, extreme=extreme, k=k):
                sign = -1 if extreme == "max" else 1
                counts = {n: sign * self._ends(n, form) for n in self.entities(inner)}
                return self._best(counts, k)
            case SelectByQualifier():
                return self._best(self._measures(form), form.k)
        kind = self.world.types[name]
        best = {}
        for node in of:
            values = self.world.values(node, name)
            keys = [key for v in values if (key := ordered(kind, v)) is not None]
            if keys:
                best[node] = max(keys) if extreme == "max" else min(keys)
        if len(best) < least:
            return {}
        to_number = {n: k.toordinal() if isinstance(k, date) else k for n, k in best.items()}
        sign = -1 if extreme == "max" else 1
        return self._best({n: sign * key for n, key in to_number.items()}, k)

    def _measures(self, form: SelectByQualifier) -> dict[int, Any]:
        """What each entity that has a value ranks by."""
        kind, sign = self.qualifier_types[form.property], -1 if form.extreme == "max" else 1
        ends = None if form.to is None else self.entities(form.to)
        found = {}
        for node in self.entities(form.form):
            hops = dict(self.world.hops(node, form.relation, form.direction))
            held = [
                value
                for edge, end in hops.items()
                if ends is None or end in ends
                for value in flat(self.world.edges[edge].properties.get(form.property))
            ]
            keys = [key for value in held if (key := ordered(kind, value)) is not None]
            if not keys:
                continue
            numbers = [key.toordinal() if isinstance(key, date) else key for key in keys]
            match form.function:
                case None:
                    found[node] = sign * (max(numbers) if form.extreme == "max" else min(numbers))
                case "mean":
                    found[node] = sign * sum(numbers) / len(numbers)
                case function:
                    whole = {"sum": sum, "min": min, "max": max}[function]
                    found[node] = sign * whole(numbers)
        return found

    @staticmethod
    def _best(keys: dict[int, Any], k: int) -> dict[int, Any]:
        if not keys:
            return {}
        last = sorted(keys.values())[:k][-1]
        return {node: key for node, key in keys.items() if key <= last}

    def _ends(self, node: int, form: FilterByCount | SelectByCount) -> int:
        hops = self.world.hops(node, form.relation, form.direction)
        if form.to is not None:
            ends = self.entities(form.to)
            hops = [(n, end) for n, end in hops if end in ends]
        return len({n for n, _ in hops}) if form.relationships else len({end for _, end in hops})

    def count(self, form: Count) -> int:
        """How many entities there are, or relationships that the last hop takes."""
        if not form.relationships:
            return len(self.entities(form.form))
        inner, among = form.form, []
        while isinstance(inner, And):
            inner, among = inner.left, [*among, self.entities(inner.right)]
        steps, start = self._steps(inner)
        walks = (walk for node in self.entities(start) for walk in self._walk(node, steps, ()))
        return len({used[-1] for end, used in walks if all(end in others for others in among)})

    def _chain(self, form: Any) -> set[int]:
        steps, start = self._steps(form)
        return {end for node in self.entities(start) for end, _ in self._walk(node, steps, ())}

    def _steps(self, form: Any) -> tuple[list[Any], Any]:
        """The hops and filters of a chain, and the set that it starts from."""
        steps: list[Any] = []
        while isinstance(form, Relate | FilterLabel | Filter | FilterByCount):
            if isinstance(form, FilterByCount) and not is_label(form.to):
                break
            steps.insert(0, form)
            begins = isinstance(form, Relate) and form.anew
            form = form.form
            if begins:
                break
        return steps, form

    def _walk(
        self, node: int, steps: Sequence[Any], used: tuple[int, ...]
    ) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The ends of all walks, each with the relationships that it uses."""
        if not steps:
            yield node, used
            return
        step, *later = steps
        match step:
            case Relate(relation=relation, direction=direction, where=where):
                for edge, end in self.world.hops(node, relation, direction):
                    held = self.world.edges[edge].properties
                    if edge not in used and all(
                        self._any(self.qualifier_types[c.property], flat(held.get(c.property)), c)
                        for c in where
                    ):
                        yield from self._walk(end, later, (*used, edge))
                return
            case FilterLabel(label=label):
                stays = label in self.world.nodes[node].labels
            case Filter(property=name, op=op, value=value):
                values = self.world.values(node, name)
                stays = self._any(self.world.types[name], values, Condition(name, op, value))
            case FilterByCount():
                stays = compared(self._ends(node, step), step.op, step.value)
        if stays:
            yield from self._walk(node, later, used)

    @staticmethod
    def _any(kind: str, values: Sequence[Any], condition: Condition) -> bool:
        return any(fulfils(kind, value, condition) for value in values)

    # ---- values

    def values(self, form: Property | Qualifier) -> list[tuple[int, Any]]:
        """The values, each with its entity or the other end."""
        if isinstance(form, Property):
            return [
                (node, value)
                for node in self.entities(form.form)
                for value in self.world.values(node, form.property)
            ]
        ends = None if form.to is None else self.entities(form.to)
        found: dict[int, set[int]] = {}
        for node in self.entities(form.form):
            for edge, end in self.world.hops(node, form.relation, form.direction):
                if ends is None or end in ends:
                    found.setdefault(edge, set()).add(end)
        nodes = self.world.nodes
        return [
            (min(others, key=lambda n: (nodes[n].shown, nodes[n].id)), value)
            for edge, others in found.items()
            for value in flat(self.world.edges[edge].properties.get(form.property))
        ]

    def type_of(self, form: Property | Qualifier) -> str:
        if isinstance(form, Property):
            return self.world.types[form.property]
        return self.qualifier_types[form.property]

    def aggregate(self, form: Aggregate) -> Any:
        """A number; of dates the days that it may be, as they are written."""
        values = [value for _, value in self.values(form.values)]
        return reduced(self.type_of(form.values), form.function, values)

    def groups(self, form: GroupBy) -> dict[str, Any]:
        """For each group, by the id of its entity or its value as a text, the number."""
        members: dict[str, set[int]] = {}
        led: dict[str, int] = {}
        if form.qualifier is not None:
            return self._groups_of_relationships(form)
        for node in self.entities(form.form):
            if form.relation is not None:
                ends = self.world.hops(node, form.relation, form.direction)
                keys = [self.world.nodes[end].id for _, end in ends]
            else:
                keys = [text(v) for v in self.world.values(node, form.property or "")]
            for key in keys:
                members.setdefault(key, set()).add(node)
                led[key] = led.get(key, 0) + 1
        if form.relationships:
            return led
        if form.function is None or form.of is None:
            return {key: len(nodes) for key, nodes in members.items()}
        found = {
            key: reduced(
                self.world.types[form.of],
                form.function,
                [v for node in nodes for v in self.world.values(node, form.of)],
            )
            for key, nodes in members.items()
        }
        return {key: value for key, value in found.items() if value is not None}

    def _groups_of_relationships(self, form: GroupBy) -> dict[str, Any]:
        """The same of values of the relationships that lead to the groups."""
        held: dict[str, list[Any]] = {}
        for node in self.entities(form.form):
            for edge, end in self.world.hops(node, form.relation or "", form.direction):
                values = flat(self.world.edges[edge].properties.get(form.qualifier or ""))
                held.setdefault(self.world.nodes[end].id, []).extend(values)
        kind, function = self.qualifier_types[form.qualifier or ""], form.function or "sum"
        found = {key: reduced(kind, function, values) for key, values in held.items()}
        return {key: value for key, value in found.items() if value is not None}

    def verdict(self, form: Verify) -> bool | None:
        """Yes, no, or that there is no value."""
        inner, op, value = form.form, form.op, form.value
        match inner:
            case Count():
                n = self.count(inner)
                return n > 0 if op is None else compared(n, op, value)
            case Aggregate():
                found = self.aggregate(inner)
                if op is None or found is None:
                    return None if op is not None else found is not None
                kind = self.type_of(inner.values)
                shown = sorted(found)[0] if isinstance(found, frozenset) else found
                return fulfils(kind, shown, Condition("", op, value))  # type: ignore[arg-type]
            case Property() | Qualifier():
                values = [value for _, value in self.values(inner)]
                if op is None:
                    return bool(values)
                condition = Condition("", op, value)  # type: ignore[arg-type]
                holds = self._any(self.type_of(inner), values, condition)
                return holds if values else None
        return bool(self.entities(inner))
