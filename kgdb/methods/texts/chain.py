"""The inference chain of an answer: how its facts lead there, as a tree of indented lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from kgdb.methods.texts.citations import Citations, marks
from kgdb.values import Entity, Path, Step, Triple
from kgdb.wording import one_line

_INDENT = "  "


@dataclass(slots=True)
class _Branch:
    below: dict[tuple[Step, Entity], tuple[Triple, _Branch]] = field(default_factory=dict)


def inference_chain(paths: Iterable[Path], citations: Citations) -> tuple[str, ...]:
    """The cited facts of the paths as lines, what follows from a line indented below it.

    A path that begins where another one ended goes on from there.
    """
    roots: dict[Entity, _Branch] = {}
    reached: dict[Entity, _Branch] = {}
    cited = set(citations.facts)
    for path in paths:
        if not cited.issuperset(path.triples):
            continue
        branch = reached.get(path.entities[0])
        if branch is None:
            branch = roots.setdefault(path.entities[0], _Branch())
        for step, entity, triple in zip(path.steps, path.entities[1:], path.triples, strict=True):
            _, branch = branch.below.setdefault((step, entity), (triple, _Branch()))
            reached.setdefault(entity, branch)
    lines: list[str] = []
    for entity, branch in roots.items():
        lines.append(one_line(entity.name))
        _grow(lines, branch, citations, 1)
    return tuple(lines)


def _grow(lines: list[str], branch: _Branch, citations: Citations, depth: int) -> None:
    for (step, entity), (triple, below) in branch.below.items():
        arrow = f"←{step.relation}–" if step.reverse else f"–{step.relation}→"
        mark = marks([citations.number(triple)])
        lines.append(f"{_INDENT * depth}{one_line(arrow)} {one_line(entity.name)} {mark}")
        _grow(lines, below, citations, depth + 1)
