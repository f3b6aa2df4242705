"""Paths as a picture.

Names are written as text of the picture, so no name becomes a part of it. Each name is in the class
of its number, each relation in those of its two ends: a page may mark what belongs together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from kgdb.drawing.path_layout import Edge, Layout, Node, Point, lay_out
from kgdb.values import Entity, Path, Triple, Verdict
from kgdb.wording import escaped

MAX_FACTS = 60
"""Facts that are drawn unless told otherwise: more could not be read."""

FILLS = {"asked": "#0b7285", "answer": "#2b8a3e", "between": "#495057"}
LINES = {"fact": "#868e96", "for": "#2b8a3e", "against": "#e03131"}
_TEXT = "#7b838b"
"""Colours that can be read on a white page and on a black one."""

_HEIGHT = 25
"""Of the background of a name."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture: ``facts`` are in it, and ``left_out`` are not."""

    svg: str
    facts: int
    left_out: int


def draw(
    paths: Iterable[Path],
    answers: Collection[Entity] = (),
    sides: Mapping[Triple, str] | None = None,
    *,
    asked: Collection[Entity] | None = None,
    max_facts: int = MAX_FACTS,
) -> Drawing | None:
    """The first paths as one graph, whole ones only; ``None`` if they have no facts.

    ``sides`` says of facts whether they are ``for`` or ``against``. What is ``asked`` about are the
    entities that paths start from, unless given.
    """
    given = [path for path in paths if path.steps]
    drawn = _first(given, max_facts)
    if not drawn:
        return None
    starts = {path.entities[0] for path in drawn} if asked is None else asked

    def role(entity: Entity) -> str:
        return "answer" if entity in answers else "asked" if entity in starts else "between"

    def side(edge: Edge) -> str:
        facts = (Triple(edge.head, relation, edge.tail) for relation in edge.relations)
        return next((found for fact in facts if (found := (sides or {}).get(fact))), "fact")

    facts = len(_facts(drawn))
    return Drawing(to_svg(lay_out(drawn), role, side), facts, len(_facts(given)) - facts)


def sides_of(verdict: Verdict) -> dict[Triple, str]:
    """For the facts of a verdict, whether they are ``for`` or ``against`` the claim."""
    against = dict.fromkeys(_facts(verdict.opposing), "against")
    return against | dict.fromkeys(_facts(verdict.supporting), "for")


def to_svg(layout: Layout, role: Callable[[Entity], str], side: Callable[[Edge], str]) -> str:
    """The picture; ``role`` and ``side`` choose among :data:`FILLS` and :data:`LINES`."""
    left, top, width, height = layout.box
    numbers = {node.entity: number for number, node in enumerate(layout.nodes)}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height}" '
        f'viewBox="{left} {top} {width} {height}" font-family="system-ui, sans-serif" '
        'font-size="12" text-anchor="middle">'
    ]
    for edge in layout.edges:
        ends = sorted({numbers[edge.head], numbers[edge.tail]})
        parts.append(_edge(edge, side(edge), " ".join(f"n{end}" for end in ends)))
    parts += [_node(node, role(node.entity), numbers[node.entity]) for node in layout.nodes]
    return "".join([*parts, "</svg>"])


def _node(node: Node, role: str, number: int) -> str:
    about = escaped(f"{node.entity.name} ({node.entity.id})")
    return (
        f'<g class="node n{number}"><title>{about}</title>'
        f'<rect x="{node.x - node.width / 2:.1f}" y="{node.y - _HEIGHT / 2:.1f}" '
        f'width="{node.width:.1f}" height="{_HEIGHT}" rx="6" fill="{FILLS[role]}"/>'
        f'<text x="{node.x:.1f}" y="{node.y:.1f}" dy=".35em" fill="#fff">{escaped(node.label)}'
        "</text></g>"
    )


def _edge(edge: Edge, side: str, classes: str) -> str:
    """The line with the arrow's head at its middle, and the relations, never upside down."""
    colour, dashes = LINES[side], ' stroke-dasharray="6 4"' if side == "against" else ""
    ends = edge.points if edge.bent else (edge.points[0], edge.points[-1])
    told = f"{edge.head.name} – {', '.join(edge.relations)} – {edge.tail.name}"
    return (
        f'<g class="edge {classes}"><title>{escaped(told)}</title>'
        f'<polyline points="{" ".join(map(_point, ends))}" fill="none" stroke="{colour}" '
        f'stroke-width="1.5"{dashes}/>'
        f'<path d="M-5,-5L5,0L-5,5z" fill="{colour}" {_moved(edge.middle, edge.angle)}/>'
        f'<text dy="-6" font-size="11" fill="{_TEXT}" {_moved(edge.middle, _upright(edge.angle))}>'
        f"{escaped(edge.label)}</text></g>"
    )


def _point(point: Point) -> str:
    return f"{point[0]:.1f},{point[1]:.1f}"


def _moved(point: Point, angle: float) -> str:
    return f'transform="translate({_point(point)}) rotate({math.degrees(angle):.1f})"'


def _upright(angle: float) -> float:
    if angle > math.pi / 2:
        return angle - math.pi
    return angle + math.pi if angle < -math.pi / 2 else angle


def _first(paths: Sequence[Path], most: int) -> list[Path]:
    """As many whole paths, from the first on, as have at most that many facts."""
    kept: list[Path] = []
    facts: set[Triple] = set()
    for path in paths:
        if len(facts | set(path.triples)) <= most:
            facts |= set(path.triples)
            kept.append(path)
    return kept


def _facts(paths: Iterable[Path]) -> set[Triple]:
    return {fact for path in paths for fact in path.triples}
