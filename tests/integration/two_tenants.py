"""Two tenants of one database: each has a label, names of their own, and relationships across."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

MANY = 613
"""Persons of Globex: a number that nothing of Acme has."""

NODES = f"""
CREATE (ann:Person:Acme {{name: 'Ann Archer', grade: 7}}), (bob:Person:Acme {{name: 'Bob Baker'}}),
       (apollo:Project:Acme {{name: 'Apollo', started: date('2001-02-03')}}),
       (ann)-[:MANAGES {{since: 1999}}]->(apollo), (bob)-[:WORKS_ON]->(apollo),
       (ann)-[:KNOWS]->(bob),
       (zed:Person:Globex {{name: 'Zed Zimmer', clearance: 'purple'}}),
       (yves:Person:Globex {{name: 'Yves Yarrow', grade: 40961}}),
       (twin:Person:Globex {{name: 'Ann Archer', clearance: 'mauve'}}),
       (zeppelin:Project:Globex {{name: 'Zeppelin'}}),
       (vault:Vault:Globex {{name: 'Quartz Cellar', combination: 'xyzzy'}}),
       (zed)-[:MANAGES {{hush: 'plugh'}}]->(zeppelin), (yves)-[:WORKS_ON]->(zeppelin),
       (zed)-[:GUARDS]->(vault), (twin)-[:KNOWS]->(zed), (twin)-[:MANAGES]->(zeppelin),
       (ann)-[:SUPPLIES {{volume: 52361}}]->(zed), (zed)-[:SUPPLIES]->(bob),
       (ann)-[:KNOWS]->(yves), (yves)-[:MANAGES]->(apollo), (apollo)-[:MERGED_INTO]->(zeppelin),
       (bob)-[:MANAGES]->(zeppelin)
WITH ann, zed
UNWIND range(4, {MANY}) AS i
CREATE (zed)-[:KNOWS]->(extra:Person:Globex {{name: 'Extra ' + i}}), (ann)-[:KNOWS]->(extra)
"""

SECRETS = re.compile(
    "globex|zed|zimmer|yves|yarrow|zeppelin|quartz|cellar|vault|guards|clearance|purple|mauve|hush"
    "|plugh|xyzzy|combination|supplies|volume|extra|merged",
    re.IGNORECASE,
)
"""Names and values that only Globex has, or that are only on relationships across."""

NUMBERS = {*range(MANY - 5, MANY + 10), 40961, 52361}
"""Its persons, nodes and relationships, and those across, with Acme's or without; its values."""


def leaks(sent: str, received: str) -> list[str]:
    """What a response tells of Globex that was not in the request."""
    told = {word.lower() for word in SECRETS.findall(received)}
    found = sorted(told - {word.lower() for word in SECRETS.findall(sent)})
    try:
        found += [str(number) for number in _numbers(json.loads(received)) if number in NUMBERS]
    except ValueError:  # a stream of events, or a text
        found += [str(number) for number in _numbers(received) if number in NUMBERS]
    return found


def _numbers(value: Any) -> Iterator[int]:
    if isinstance(value, dict):
        for each in value.values():
            yield from _numbers(each)
    elif isinstance(value, list):
        for each in value:
            yield from _numbers(each)
    elif isinstance(value, str):
        yield from map(int, re.findall(r"(?<![\w:.-])\d+(?![\w:.-])", value))
    elif isinstance(value, int):
        yield value
