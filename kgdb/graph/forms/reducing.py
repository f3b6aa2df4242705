"""Many values made one, in Cypher: their sum, mean, least or largest."""

from __future__ import annotations

from kgdb.errors import UsageError
from kgdb.graph.connection.statements import Statement, statement
from kgdb.graph.forms.operators import Function
from kgdb.wording import short

_FUNCTIONS = {"sum": "sum", "mean": "avg", "min": "min", "max": "max"}


def reduced_value(kind: str, function: Function, name: str) -> Statement:
    """One value from many; a date stays as it is written, for a year is not its first day.

    A sum or mean of durations is one.
    """
    _check(kind, function, name)
    if kind == "duration" and function in ("sum", "mean"):
        return statement("forms/reduce/duration", function=Statement(_FUNCTIONS[function]))
    if kind == "number":
        return statement("forms/reduce/number", function=Statement(_FUNCTIONS[function]))
    return statement("forms/reduce/date", function=Statement(function))


def reduced_key(kind: str, function: Function, name: str) -> Statement:
    """One key from many, by which the whole ranks.

    A mean is a sum divided once: entities with the same values tie, in whichever order these come.
    """
    _check(kind, function, name)
    if function == "mean":
        return statement("forms/reduce/mean")
    return statement("forms/reduce/number", function=Statement(function))


def _check(kind: str, function: Function, name: str) -> None:
    if kind == "date" and function not in ("min", "max"):
        raise UsageError(
            f"Values of {short(name)} are dates: they have no {function}.",
            hint="Expected the function min or max.",
        )
