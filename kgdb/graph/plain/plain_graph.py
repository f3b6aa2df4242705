"""What the twins of all procedures share: names, parts of statements, and how rows are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from kgdb.errors import DatabaseError
from kgdb.graph.connection.catalog import GraphInfo
from kgdb.graph.connection.database import Database
from kgdb.graph.connection.statements import Place, Statement, statement
from kgdb.graph.plain.known_names import Names
from kgdb.graph.plain.plain_conditions import compared, fulfilled
from kgdb.graph.plain.properties import ShownPath, with_properties
from kgdb.graph.plain.starts import find_starts, start_keys
from kgdb.graph.retrieval.identified import entity_not_found
from kgdb.graph.retrieval.plugin import Row, Starts
from kgdb.graph.retrieval.retrieval_options import Config
from kgdb.graph.retrieval.step_filter import StepFilter
from kgdb.wording import short

_HUBS_TOLD = 10


class PlainGraph:
    """One graph without the plugin."""

    def __init__(self, database: Database, info: GraphInfo) -> None:
        self._database = database
        self._info = info
        self._names = Names(database, info)

    def _following(self, config: Config) -> StepFilter:
        self._names.check_relations([*config["relations"], *config["exclude"]])
        if "labels" in config:
            self._names.check_labels(config["labels"])
        return StepFilter.of(config, self._where(config))

    def _where(self, config: Config) -> Statement:
        """The predicate on the relationships to follow."""
        if "where" not in config:
            return Statement()
        where = config["where"]
        self._names.check_properties(each["property"] for each in where)
        self._names.check_relations(each["relation"] for each in where if "relation" in each)
        return fulfilled(where)

    def _statement(self, name: str, /, **places: Place) -> Statement:
        """A statement of ``cypher/plain/``, or a part, with what is the same in all of them."""
        common: dict[str, Place] = {**self._info.places, "starts": find_starts(self._info)}
        return statement(f"plain/{name}", **common, **places)

    def _with_path(
        self, rows: list[Row], config: Config, shown: Callable[[Row], ShownPath]
    ) -> list[Row]:
        """Rows that each show one path, with its properties where these are wanted."""
        found = self._with_paths(rows, config, lambda row: [shown(row)])
        return [
            {**row, "properties": row["properties"][0]} if "properties" in row else row
            for row in found
        ]

    def _with_paths(
        self, rows: list[Row], config: Config, shown: Callable[[Row], Sequence[ShownPath]]
    ) -> list[Row]:
        if not config["properties"]:
            return rows
        return with_properties(self._database, self._info, rows, config, shown)

    def _rows(
        self, text: Statement, starts: Starts, config: Config | None, **values: Any
    ) -> list[Row]:
        records = self._database.query(
            text,
            {
                "starts": list(map(start_keys, starts)),
                "where": compared(config["where"]) if config and "where" in config else [],
                **values,
            },
            timeout_ms=config["timeoutMs"] if config else 0,
        )
        self._check_entities(records)
        return [
            row
            for record in sorted(records, key=lambda record: int(record["batch"]))
            for row in _rows_of(record)
        ]

    def _check_entities(self, records: Iterable[Mapping[str, Any]]) -> None:
        missing: dict[str, None] = {}
        for record in records:
            if record["ambiguous"]:
                raise DatabaseError(
                    f"more than one entity has the id {short(record['ambiguous'][0])} in graph "
                    f"{short(self._info.name)}; its property {self._info.id_property} is no id"
                )
            missing.update(dict.fromkeys(record["missing"]))
        if missing:
            raise entity_not_found(self._info, list(missing))


def _rows_of(record: Mapping[str, Any]) -> list[Row]:
    """The rows of one set as a procedure gives them; a cut is told even where there is none."""
    cut = [*_hubs_told(record["hubs"]), *record["cut"]]
    rows = record["rows"] or ([{}] if cut else [])
    return [{"batch": record["batch"], **row, "cut": cut} for row in rows]


def _hubs_told(hubs: Iterable[str]) -> list[str]:
    distinct = sorted(set(hubs))
    told = [f"maxDegree: {hub}" for hub in distinct[:_HUBS_TOLD]]
    if len(distinct) > _HUBS_TOLD:
        told.append(f"maxDegree: and {len(distinct) - _HUBS_TOLD} more")
    return told
