"""Where the entities and facts of the evidence are drawn: columns, as the paths are read.

The entities that paths start from are in the first column, what is a hop away from them in the
second, and so on; an edge bends where a straight one would lie on another. All is in pixels, to
the right and down.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kgdb.values import Entity, Path, Triple

LONGEST_NAME, LONGEST_RELATION = 34, 26
"""Letters of a name and of a relation that are drawn; the rest is told by the list."""

_LETTER, _SMALL_LETTER = 6.7, 6.0
"""Of names and of relations, which are drawn smaller."""

_ROW = 46.0
_WIDEST_ROW = 2.5 * _ROW
"""Short columns spread, so that their edges do not lie on each other."""
_MARGIN = 8
_PILL = 16.0
"""What a name's background adds to its width."""
_GAP = 70.0
"""The least room between two columns."""
_BEND = 46.0
_POINTS = 33

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Node:
    """An entity at its place. ``width`` is that of its name as it is drawn."""

    entity: Entity
    label: str
    x: float
    y: float
    width: float


@dataclass(frozen=True, slots=True)
class Edge:
    """The relations from one entity to another, as the graph states them.

    ``at``: the point where the label and the arrow's head are. ``bent``: it is no straight line.
    """

    head: Entity
    tail: Entity
    relations: tuple[str, ...]
    label: str
    points: tuple[Point, ...]
    at: int
    bent: bool

    @property
    def middle(self) -> Point:
        """The middle of what can be seen between the two names."""
        return self.points[self.at]

    @property
    def angle(self) -> float:
        """The direction at the middle, in radians."""
        (x0, y0), (x1, y1) = self.points[self.at - 1], self.points[self.at + 1]
        return math.atan2(y1 - y0, x1 - x0)


@dataclass(frozen=True, slots=True)
class Layout:
    """A drawing: everything in it."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Where it is: left, top, width and height."""
        xs, ys = [0.0], [0.0]
        for node in self.nodes:
            xs += [node.x - node.width / 2, node.x + node.width / 2]
            ys += [node.y - _PILL, node.y + _PILL]
        for edge in self.edges:
            long = text_width(edge.label, _SMALL_LETTER) / 2
            (x, y), turn = edge.middle, edge.angle
            along = abs(math.cos(turn)) * long + _PILL, abs(math.sin(turn)) * long + _PILL
            xs += [x - along[0], x + along[0], *(x for x, _ in edge.points)]
            ys += [y - along[1], y + along[1], *(y for _, y in edge.points)]
        left, top = math.floor(min(xs)) - _MARGIN, math.floor(min(ys)) - _MARGIN
        right, bottom = math.ceil(max(xs)) + _MARGIN, math.ceil(max(ys)) + _MARGIN
        return left, top, right - left, bottom - top


def lay_out(
    paths: Sequence[Path],
    starts: Sequence[Entity] | None = None,
    longest_relation: int = LONGEST_RELATION,
) -> Layout:
    """Entities and facts of the paths, at their places; the same paths give the same drawing.

    ``starts`` are in the first column, unless given the entities that paths start from. Every other
    entity is joined with one of them.
    """
    facts = tuple(dict.fromkeys(fact for path in paths for fact in path.triples))
    columns = _columns(starts or [path.entities[0] for path in paths], facts)
    column_of = {entity: i for i, column in enumerate(columns) for entity in column}
    joined: dict[tuple[Entity, Entity], list[str]] = {}
    for fact in facts:
        joined.setdefault((fact.head, fact.tail), []).append(fact.relation)
    labels = {
        pair: shortened(", ".join(relations), longest_relation)
        for pair, relations in joined.items()
    }
    widths = {
        entity: text_width(shortened(entity.name, LONGEST_NAME)) + _PILL
        for column in columns
        for entity in column
    }
    gaps = [_GAP] * len(columns)
    for (head, tail), label in labels.items():
        first = min(column_of[head], column_of[tail])
        gaps[first] = max(gaps[first], text_width(label, _SMALL_LETTER) + 30)
    rows = max((len(column) for column in columns), default=0)
    places: dict[Entity, Point] = {}
    x = 0.0
    for column, gap in zip(columns, gaps, strict=True):
        width = max(widths[entity] for entity in column)
        row_height = min(_WIDEST_ROW, _ROW * rows / len(column))
        for row, entity in enumerate(column):
            places[entity] = (x + width / 2, row_height * (row - (len(column) - 1) / 2))
        x += width + gap
    bends = {pair: _bend(pair, joined, column_of) for pair in joined}
    return Layout(
        tuple(
            Node(entity, shortened(entity.name, LONGEST_NAME), *places[entity], widths[entity])
            for column in columns
            for entity in column
        ),
        tuple(
            Edge(
                *pair,
                tuple(relations),
                labels[pair],
                _curve(places[pair[0]], places[pair[1]], bends[pair]),
                _middle(*((places[entity][0], widths[entity]) for entity in pair)),
                bool(bends[pair]),
            )
            for pair, relations in joined.items()
        ),
    )


def _columns(starts: Sequence[Entity], facts: Sequence[Triple]) -> list[list[Entity]]:
    """Entities by their distance from the first ones, near what they are joined with."""
    around: dict[Entity, list[Entity]] = {}
    for fact in facts:
        around.setdefault(fact.head, []).append(fact.tail)
        around.setdefault(fact.tail, []).append(fact.head)
    column = list(dict.fromkeys(starts))
    seen = set(column)
    columns = []
    while column:
        columns.append(column)
        # In the order of what they are joined with: so few edges cross.
        column = list(
            dict.fromkeys(e for near in column for e in around.get(near, ()) if e not in seen)
        )
        seen.update(column)
    return columns


def _bend(
    pair: tuple[Entity, Entity],
    joined: Mapping[tuple[Entity, Entity], object],
    column_of: Mapping[Entity, int],
) -> float:
    """How far the edge leaves the straight line, to its right."""
    head, tail = pair
    if abs(column_of[head] - column_of[tail]) != 1:
        return _BEND
    return _BEND / 2 if (tail, head) in joined else 0.0


def _curve(start: Point, end: Point, bend: float) -> tuple[Point, ...]:
    """A quadratic curve; an entity's fact about itself is a loop."""
    (x0, y0), (x1, y1) = start, end
    if start == end:
        turns = [2 * math.pi * i / (_POINTS - 1) for i in range(_POINTS)]
        radius = bend / 2
        return tuple(
            (x0 + 1.5 * radius * math.sin(turn), y0 - 0.65 * radius * (1 - math.cos(turn)))
            for turn in turns
        )
    length = math.hypot(x1 - x0, y1 - y0)
    across = (2 * bend * (y1 - y0) / length, -2 * bend * (x1 - x0) / length)
    middle = ((x0 + x1) / 2 + across[0], (y0 + y1) / 2 + across[1])
    points = []
    for i in range(_POINTS):
        t = i / (_POINTS - 1)
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t**2
        points.append((a * x0 + b * middle[0] + c * x1, a * y0 + b * middle[1] + c * y1))
    return tuple(points)


def _middle(start: tuple[float, float], end: tuple[float, float]) -> int:
    """The point midway between the backgrounds of two names, given by their places and widths."""
    (x0, width0), (x1, width1) = start, end
    if abs(x1 - x0) <= (width0 + width1) / 2:
        return _POINTS // 2
    visible = abs(x1 - x0) - (width0 + width1) / 2
    share = (width0 / 2 + visible / 2) / abs(x1 - x0)
    return round(share * (_POINTS - 1))


def shortened(text: str, longest: int) -> str:
    """The text on one line, cut where it is too long."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def text_width(text: str, letter: float = _LETTER) -> float:
    """About how wide a text is drawn; Chinese letters are twice as wide."""
    return sum(letter * (2 if unicodedata.east_asian_width(c) in "WF" else 1) for c in text)
