"""Entities by their names: Lucene queries over the full-text index of a graph."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from kgdb.errors import DatabaseError
from kgdb.graph.connection.catalog import GraphInfo
from kgdb.graph.connection.database import Database
from kgdb.graph.connection.statements import joined, statement
from kgdb.graph.option_values import integer, items
from kgdb.graph.retrieval.identified import Identified
from kgdb.graph.retrieval.results import Candidate, NamedCandidates
from kgdb.text_arguments import optional_text, texts
from kgdb.wording import short

_NUMBER = re.compile(r"[0-9]{1,18}")
_QUERY, _QUERIES = "a Lucene query", "Lucene queries"


def fulltext(
    database: Database,
    info: GraphInfo,
    identified: Identified,
    queries: Sequence[str],
    limit: int,
) -> list[list[Candidate]]:
    """The best ``limit`` entities for each query."""
    asked = texts("queries", queries, _QUERIES)
    parameters = {
        "index": info.fulltext_index,
        "queries": asked,
        "limit": integer(1)("limit", limit),
    }
    with _indexed(info):
        rows = database.run("entities/fulltext", parameters, **info.places)
    without = identified.without_id(row["id"] for row in rows)
    found: list[list[Candidate]] = [[] for _ in asked]
    for row in (row for row in rows if row["id"] not in without):
        found[row["query"]].append(Candidate.of(row))
    return found


def named(
    database: Database,
    info: GraphInfo,
    identified: Identified,
    phrases: Sequence[Sequence[str]],
    misspelt: Sequence[str | None],
    limits: tuple[int, int],
) -> list[NamedCandidates]:
    """For each text the candidates of its phrases, else of its query for misspelt names."""
    limit, misspelt_limit = limits
    asked = [texts("phrases", of_text, _QUERIES) for of_text in items("phrases", phrases)]
    parameters = {
        "index": info.fulltext_index,
        "aliasProperties": list(info.alias_properties),
        "phrases": asked,
        "misspelt": [
            optional_text("misspelt", query, _QUERY) for query in items("misspelt", misspelt)
        ],
        "limit": integer(0)("limit", limit),
        "misspeltLimit": integer(0)("misspelt_limit", misspelt_limit),
    }
    with _indexed(info):
        rows = [dict(row) for row in database.run("entities/named", parameters, **info.places)]
    for found in labelled(database, info, asked):
        rows[found["text"]]["exact"].append(found)
    without = identified.without_id(
        found["id"] for row in rows for found in (*row["exact"], *row["misspelt"])
    )
    return [
        NamedCandidates.of(len(of_text), row, without)
        for of_text, row in zip(asked, rows, strict=True)
    ]


def labelled(
    database: Database, info: GraphInfo, phrases: Sequence[Sequence[str]]
) -> list[dict[str, Any]]:
    """The entities that phrases name by their label and a property: *Invoice 404*.

    No full-text index has such a name. Most texts have no such phrase, and cost no statement.
    """
    sources = [each for each in info.names if each.with_label and len(each.properties) == 1]
    asked = [
        {"source": place, "text": text, "query": query, "values": values}
        for place, source in enumerate(sources)
        for text, of_text in enumerate(phrases)
        for query, phrase in enumerate(of_text)
        if (values := _values_behind(source.label, phrase))
    ]
    if not asked:
        return []
    parts = [
        statement(
            "entities/labelled",
            label=source.label,
            property=source.properties[0],
            place=place,
            id=info.places["id"],
            name=info.places["name"],
        )
        for place, source in enumerate(sources)
    ]
    rows = database.query(joined("UNION ALL\n", parts), {"asked": asked})
    return [{**row, "aliases": [], "score": 1.0} for row in rows]


def _values_behind(label: str, phrase: str) -> list[str | int]:
    """What the property of such a name may hold: the words behind the label, and as a number."""
    text = phrase.strip('"')
    if not text.casefold().startswith(f"{label.casefold()} "):
        return []
    value = text[len(label) :].strip()
    number = [int(value)] if _NUMBER.fullmatch(value) else []
    return [*dict.fromkeys((value, value.upper(), value.lower())), *number]


@contextmanager
def _indexed(info: GraphInfo) -> Iterator[None]:
    """Tell what to do where the full-text index over names is not there."""
    try:
        yield
    except DatabaseError as error:
        if "no such fulltext" not in error.message:
            raise
        raise DatabaseError(
            f"The graph {short(info.name)} has no full-text index {info.fulltext_index} over its "
            "names, without which no question finds its entities.",
            hint=f"Run kgdb remove {info.name}, and load it (or adopt it) again.",
        ) from error
