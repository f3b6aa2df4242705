"""Relations that a caller names, and the numbers given to them, checked against a graph's own."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches

from kgdb.errors import UsageError
from kgdb.graph.option_values import number, specs
from kgdb.wording import short


def check_relations(name: str, given: Sequence[str], known: Collection[str]) -> list[str]:
    """Relations as their names; one that the graph does not have is an error with the nearest."""
    found = specs(name, given)
    for relation in found:
        if relation not in known:
            raise _unknown(name, relation, known)
    return found


def check_steps(name: str, given: Sequence[str], known: Collection[str]) -> list[str]:
    """As :func:`check_relations`, and ``"^r"`` for the way against a relation."""
    found = specs(name, given)
    check_relations(name, [spec.removeprefix("^") for spec in found], known)
    return found


def finite_weights(
    name: str, given: Mapping[str, float], known: Collection[str]
) -> dict[str, float]:
    """A finite number for each of some relations."""
    if not isinstance(given, Mapping):
        raise UsageError(f"{name} is {short(given)}; expected a map from relations to numbers.")
    check_relations(name, list(given), known)
    return {
        relation: number(f"the weight of {short(relation)}", weight)
        for relation, weight in given.items()
    }


def step_costs(name: str, given: Mapping[str, float], known: Collection[str]) -> dict[str, float]:
    """What steps cost, by their spec (``"r"`` or ``"^r"``): numbers from 0 on."""
    if not isinstance(given, Mapping):
        raise UsageError(f"{name} is {short(given)}; expected a map from relations to costs.")
    check_steps(name, list(given), known)
    return {spec: cost(f"the cost of {short(spec)}", value) for spec, value in given.items()}


def cost(name: str, value: float) -> float:
    """A number from 0 on: a way that costs less than nothing could be made shorter for ever."""
    if number(name, value) < 0:
        raise UsageError(f"{name} is {short(value)}; expected 0 or more.")
    return float(value)


def _unknown(name: str, relation: str, known: Collection[str]) -> UsageError:
    if relation.startswith("^"):
        return UsageError(
            f"{name} holds {short(relation)}; expected a relation's name without '^'.",
            hint="A projection has every relation as it is written, or undirected=True.",
        )
    near = get_close_matches(relation, sorted(known), n=3)
    meant = f" Did you mean {' or '.join(map(short, near))}?" if near else ""
    return UsageError(f"{name} holds {short(relation)}, which is no relation of the graph.{meant}")
