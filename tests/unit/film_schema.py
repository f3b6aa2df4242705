"""A small schema of films, people and studios, to read questions with."""

from __future__ import annotations

from kgdb.graph.schema import PropertyInfo, RelationEnds, Schema


def info(name: str, kind: str, label: str) -> PropertyInfo:
    return PropertyInfo(name, kind, {label: 9}, ())  # type: ignore[arg-type]


def ends(name: str, head: str, tail: str, *qualifiers: PropertyInfo) -> RelationEnds:
    return RelationEnds(name, 50, {head: 50}, {tail: 50}, qualifiers, {(head, tail): 50})


SCHEMA = Schema(
    {"Film": 40, "Person": 90, "Studio": 5},
    {
        p.name: p
        for p in (
            info("released", "date", "Film"),
            info("budget", "integer", "Film"),
            info("born", "date", "Person"),
            info("city", "text", "Studio"),
            info("retired", "boolean", "Person"),
        )
    },
    {
        r.relation: r
        for r in (
            ends("ACTED_IN", "Person", "Film", info("role", "text", "")),
            ends("DIRECTED", "Person", "Film"),
            ends("REVIEWED", "Person", "Film", info("rating", "integer", "")),
            ends("MADE_BY", "Film", "Studio"),
            ends("FOLLOWS", "Person", "Person"),
            ends("MARRIED_TO", "Person", "Person"),
        )
    },
)
