"""The beginning of each plain statement: the entities that the caller named by their ids."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kgdb.graph.connection.catalog import GraphInfo
from kgdb.graph.connection.statements import Labels, Statement, statement

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,18}")
_LARGEST_INTEGER = 2**63 - 1


def start_keys(ids: Iterable[str]) -> list[list[str | int]]:
    """The ids of a set, each once, as the parameter ``starts`` holds them."""
    return [_keys(id_) for id_ in dict.fromkeys(ids)]


def _keys(id_: str) -> list[str | int]:
    """What the id property may hold: a graph that kgdb did not load may have numbers there."""
    if _INTEGER.fullmatch(id_) and -_LARGEST_INTEGER - 1 <= int(id_) <= _LARGEST_INTEGER:
        return [id_, int(id_)]
    return [id_]


def find_starts(info: GraphInfo) -> Statement:
    """The part that finds the entities of each set, by the property with ids or by element id."""
    labels, key = Labels(info.labels), info.id_property
    if key is None:
        find = statement("plain/starts/by_element_id", label=labels)
    else:
        find = statement("plain/starts/by_property", label=labels, property=key)
    return statement("plain/starts", **info.places, find=find)
