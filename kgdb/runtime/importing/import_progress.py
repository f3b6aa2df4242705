"""The progress of an import, from the output of ``neo4j-admin database import --verbose``.

A stage begins with a line ``NAME, started TIME``, prints its number of processed entities each
second, and ends with a line ``Done in …``. Linking processes the relationships of a range of types
forward, then backward; the memory determines the number of ranges.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kgdb.progress import Progress, Report

_BEGAN = re.compile(
    r"(?:WARNING:.*GiB)?(?P<name>[A-Z][\w<> -]*?)(?P<types> [\d/-]+)?, started \d{4}-"
)
_REACHED = re.compile(r"\[[*>].*\] *(?P<count>[\d.]+)(?P<unit>[KMB]?) *∆")
_ENDED = re.compile(r"Done in ")
_TYPES = re.compile(r" (?:(?P<first>\d+)-)?(?P<last>\d+)/(?P<all>\d+)")
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "B": 10**9}


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a stage as the user sees it: from ``begin`` to ``end``, as shares of its rows."""

    stage: str
    rows: int
    unit: str
    begin: float = 0.0
    end: float = 1.0


@dataclass(slots=True)
class OutputReader:
    """Reports the progress of one import; ``nodes`` and ``relationships`` may be estimates."""

    nodes: int
    relationships: int
    report: Report
    _part: _Part | None = field(default=None, init=False)

    def read(self, line: str) -> None:
        """Process the next line; lines without progress are ignored."""
        if began := _BEGAN.match(line):
            self._part = self._part_of(began["name"], began["types"] or "")
            self._send(0.0)
        elif reached := _REACHED.match(line):
            if self._part and self._part.rows:
                count = float(reached["count"]) * _UNITS[reached["unit"]]
                # The number of rows may be an estimate.
                self._send(min(count / self._part.rows, 0.99))
        elif _ENDED.match(line):
            self._send(1.0)
            self._part = None

    def _send(self, share: float) -> None:
        if self._part:
            part = self._part
            reached = round(part.rows * (part.begin + (part.end - part.begin) * share))
            self.report(Progress(part.stage, reached, part.rows, part.unit))

    def _part_of(self, name: str, types: str) -> _Part | None:
        nodes = self.nodes, "nodes"
        relationships = self.relationships, "relationships"
        match name:
            case "Nodes":
                return _Part("importing nodes", *nodes)
            case "Relationships":
                return _Part("importing relationships", *relationships)
            case "Relationship --> Relationship" | "Relationship <-- Relationship":
                begin, end = _range(types)
                middle = (begin + end) / 2
                begin, end = (begin, middle) if "-->" in name else (middle, end)
                return _Part("linking relationships", *relationships, begin, end)
            case "Node counts and label index build":
                return _Part("counting nodes", *nodes)
            case "Relationship counts and relationship type index build":
                return _Part("counting relationships", *relationships)
            case _:
                return None  # too short to report


def _range(types: str) -> tuple[float, float]:
    """The begin and end of a range of types, as shares of all types."""
    match = _TYPES.fullmatch(types)
    if not match:
        return 0.0, 1.0
    total = int(match["all"])
    first = int(match["first"] or match["last"])
    return (first - 1) / total, int(match["last"]) / total
