"""The beginning of each plain statement: the entities that the caller named by their ids."""

from __future__ import annotations

from kgdb.graph.connection.catalog import GraphInfo
from kgdb.graph.connection.statements import Labels, Statement, statement


def find_starts(info: GraphInfo) -> Statement:
    """The part that finds the entities of each set, by the property with ids or by element id."""
    labels, key = Labels(info.labels), info.id_property
    if key is None:
        find = statement("plain/starts/by_element_id", label=labels)
    else:
        find = statement("plain/starts/by_property", label=labels, property=key)
    return statement("plain/starts", **info.places, find=find)
