"""Rows without nodes that have no id.

In an adopted graph a node may lack the id property: somebody made it after the adoption. The
database tells its element id in the place of the id, by which nothing can be asked about it. Rows
that need such a node are left out, and the nodes are told beside the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from kgdb.errors import EntityNotFound
from kgdb.graph.connection.catalog import GraphInfo
from kgdb.graph.connection.database import Database
from kgdb.graph.connection.failures import names_hint
from kgdb.wording import short

Row = dict[str, Any]
WITHOUT_ID = "withoutId"
"""The key of a row that holds the element ids of the nodes that were left out of its set."""

_IDS_TOLD = 3
_ELEMENT_ID = re.compile(r"\d+:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}:\d+")


class Identified:
    """Leaves out of the rows of one graph what has no id."""

    def __init__(self, database: Database, info: GraphInfo) -> None:
        self._database = database
        self._info = info

    @property
    def _has_other_ids(self) -> bool:
        """Whether an element id is none of the ids of the graph."""
        return self._info.adopted and self._info.id_property is not None

    def rows(self, rows: Sequence[Row]) -> Sequence[Row]:
        """The rows that are left, and for each set that lost some a row that only tells so."""
        if not self._has_other_ids:
            return rows
        without = self.without_id(id_ for row in rows for id_ in _ids(row))
        if not without:
            return rows
        left: list[Row] = []
        met: dict[Any, set[str]] = {}
        cuts: dict[Any, Sequence[str]] = {}
        for row in rows:
            batch = row.get("batch")
            cuts[batch] = row.get("cut", ())
            if here := without.intersection(_ids(row)):
                met.setdefault(batch, set()).update(here)
                kept = _without(row, without)
                left += [kept] if kept else []
            else:
                left.append(row)
        told = [
            {"batch": batch, "cut": cuts[batch], WITHOUT_ID: sorted(nodes)}
            for batch, nodes in met.items()
        ]
        return [*left, *told]

    def without_id(self, ids: Iterable[str | None]) -> frozenset[str]:
        """Those that are no ids but element ids in their place."""
        if not self._has_other_ids:
            return frozenset()
        # What looks like an element id may be an id all the same.
        alike = sorted({id_ for id_ in ids if id_ and _ELEMENT_ID.fullmatch(id_)})
        if not alike:
            return frozenset()
        found = self._database.run("entities", {"ids": alike}, **self._info.places)
        return frozenset(alike) - {row["id"] for row in found}


def entity_not_found(info: GraphInfo, missing: Sequence[str]) -> EntityNotFound:
    """The error of ids that no entity of the graph has."""
    told = ", ".join(map(short, missing[:_IDS_TOLD]))
    more = f" and {len(missing) - _IDS_TOLD} more" if len(missing) > _IDS_TOLD else ""
    key = info.id_property
    kind = "element ids of the database" if key is None else f"property {key}"
    return EntityNotFound(
        f"no {'entity' if len(missing) == 1 else 'entities'} {told}{more} in graph "
        f"{short(info.name)}; nodes takes ids ({kind}), not names",
        hint=names_hint(missing),
    )


def _ids(row: Mapping[str, Any]) -> Iterator[str | None]:
    """Every id in a row of a procedure."""
    yield row.get("id")
    yield row.get("via")
    ids = row.get("ids") or ()
    yield from ids.values() if isinstance(ids, Mapping) else ids
    for path in row.get("paths") or ():
        yield from path
    for head, _, tail in row.get("triples") or ():
        yield from (head, tail)


def _without(row: Row, without: frozenset[str]) -> Row | None:
    """A row that is left without some nodes: an end that other paths lead to, too."""
    if not row.get("paths") or row["id"] in without:
        return None
    whole = [not without.intersection(path) for path in row["paths"]]
    if not any(whole):
        return None
    return row | {
        key: [path for path, is_whole in zip(row[key], whole, strict=True) if is_whole]
        for key in ("paths", "names")
    }
