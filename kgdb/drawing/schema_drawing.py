"""The schema of a graph as a picture: labels, and the relations that join them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kgdb.drawing.path_drawing import to_svg
from kgdb.drawing.path_layout import lay_out
from kgdb.values import Entity, Path, Step

_LONGEST = 60
"""Letters of the relations between two labels that are drawn."""


def draw_schema(labels: Sequence[str], joined: Iterable[tuple[str, str, str]]) -> str:
    """An SVG of the labels and of what joins them: label, relation, label.

    What is joined is among the labels. Of labels that are joined with each other, the one that is
    joined with the most is at the left.
    """
    paths = [Path((Entity(label, label),), ()) for label in labels]
    paths += [
        Path((Entity(head, head), Entity(tail, tail)), (Step(relation),))
        for head, relation, tail in joined
    ]
    layout = lay_out(paths, _hubs(paths), _LONGEST)
    return to_svg(layout, lambda _: "asked", lambda _: "fact")


def _hubs(paths: Sequence[Path]) -> list[Entity]:
    """Of labels that are joined with each other the one that is joined with the most."""
    around: dict[Entity, set[Entity]] = {path.entities[0]: set() for path in paths}
    for fact in (fact for path in paths for fact in path.triples if fact.head != fact.tail):
        around[fact.head].add(fact.tail)
        around[fact.tail].add(fact.head)
    hubs, seen = [], set[Entity]()
    for label in sorted(around, key=lambda label: -len(around[label])):
        if label not in seen:
            hubs.append(label)
        reached = [label]
        while reached:
            last = reached.pop()
            if last not in seen:
                seen.add(last)
                reached += around[last]
    return hubs
