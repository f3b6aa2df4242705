"""Groups of ids in the headers of files for Neo4j's importer: ``:START_ID(Person)``.

An id is unique within its group: person 1 and film 1 are different nodes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from kgdb.loading.drafting.sample import Column
from kgdb.loading.scratch.sql_quoting import bare_identifier, literal

_GROUP = re.compile(r".*:(?:ID|START_ID|END_ID)\((?P<group>[^()]+)\)(?:\{.*\})?")
_ROLES = ("id", "start_id", "end_id")


def group_of(column: Column) -> str | None:
    """The group of the column's ids, if its header names one."""
    match = _GROUP.fullmatch(column.name) if column.role in _ROLES else None
    return match["group"] if match else None


class IdGroups:
    """The ids of some columns, told apart by their groups where they could be taken for another.

    Ids that surely differ, such as ``p1`` and ``m1``, stay as they are.
    """

    def __init__(self, columns: Sequence[Column]) -> None:
        values: dict[str, set[str]] = {}
        numeric: dict[str, bool] = {}
        for column in columns:
            if column.role in _ROLES:
                group = group_of(column) or ""
                values.setdefault(group, set()).update(column.values)
                numeric[group] = numeric.get(group, False) or column.is_numeric
        self.collide = len(values) > 1 and (_share_one(values) or sum(numeric.values()) > 1)

    def id_of(self, column: Column, cast: str = "") -> str:
        """An SQL expression for the entity's id, by a column with the id in its group."""
        cell = f"{bare_identifier(column.name)}{cast}"
        group = group_of(column)
        return f"{literal(group + ':')} || {cell}" if self.collide and group else cell


def _share_one(values: Mapping[str, set[str]]) -> bool:
    return sum(map(len, values.values())) > len(set[str]().union(*values.values()))
