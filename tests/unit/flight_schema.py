"""A schema of flights: relations that end with a preposition, and people with an age."""

from __future__ import annotations

from film_schema import ends, info

from kgdb.graph.schema import PropertyInfo, Schema

SINCE = PropertyInfo("since", "date", {}, ())

SCHEMA = Schema(
    {"Airline": 9, "Airport": 20, "City": 15, "Flight": 90, "Pilot": 40},
    {
        p.name: p
        for p in (
            info("founded", "date", "Airline"),
            info("lowCost", "boolean", "Airline"),
            info("opened", "date", "Airport"),
            info("elevation", "integer", "Airport"),
            info("town", "text", "Pilot"),
            info("age", "integer", "Pilot"),
            info("hired", "date", "Pilot"),
            info("flightHours", "integer", "Pilot"),
            info("price", "float", "Flight"),
            info("delayed", "boolean", "Flight"),
        )
    },
    {
        r.relation: r
        for r in (
            ends("OPERATES", "Airline", "Flight"),
            ends("ARRIVES_AT", "Flight", "Airport"),
            ends("DEPARTS_FROM", "Flight", "Airport"),
            ends("SERVES", "Airport", "City"),
            ends(
                "WORKS_FOR", "Pilot", "Airline", info("rank", "text", ""), info("since", "date", "")
            ),
            ends("PILOTED", "Pilot", "Flight"),
        )
    },
)
