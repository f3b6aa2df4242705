"""Writes a graph as N-Triples, from which every id, name, literal and property can be restored.

Ids become ``urn:kgdb:GRAPH:entity:…`` (and ``relation``, ``label``, ``datatype``, ``qualifier``),
percent-encoded. Datatypes that are IRIs stay unchanged. A fact with properties has a node that
stands for it (``rdf:reifies``, of RDF 1.2), so that facts which differ in a property only stay
apart.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date, datetime
from functools import lru_cache
from itertools import count, groupby
from pathlib import Path
from typing import Any
from urllib.parse import quote

import duckdb
import pyoxigraph as rdf

from kgdb.graph import GraphInfo
from kgdb.loading.exporting.qualified_rows import Qualifiers
from kgdb.loading.loaders.loader_spec import RELATION_TEXTS

LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
ALIAS = "<http://www.w3.org/2004/02/skos/core#altLabel>"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
REIFIES = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies>"
UNQUALIFIED = "<urn:kgdb:unqualified>"
"""Says of a fact that it has no properties, where others of the same triple have some."""

_XSD = "http://www.w3.org/2001/XMLSchema#"
_STRING = f"{_XSD}string"
_LIST = "http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON"
_NOT_FINITE = {"inf": "INF", "-inf": "-INF", "nan": "NaN"}
_LANGUAGE = re.compile(r"[a-zA-Z]+(-[a-zA-Z0-9]+)*")
_IRI = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:[^\x00-\x20<>\"{}|^`\\]+")
_CACHED = 100_000


def write_ntriples(
    tables: duckdb.DuckDBPyConnection, graph: GraphInfo, qualifiers: Qualifiers, folder: Path
) -> None:
    """Write ``graph.nt``: the entities, then the triples, the literals and the relations' texts."""
    lines = _lines(tables, _Terms(graph.name), qualifiers)
    with (folder / "graph.nt").open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line} .\n" for line in lines)


class _Terms:
    """The texts of a graph as terms of RDF."""

    def __init__(self, graph: str) -> None:
        self._prefix = f"urn:kgdb:{graph}:"
        # Heads come sorted, and relations and datatypes are few: most IRIs are in the cache.
        self.iri = lru_cache(_CACHED)(self._iri)

    def _iri(self, kind: str, text: str) -> str:
        return f"<{self._prefix}{kind}:{quote(text, safe='')}>"

    def literal(self, value: str, datatype: str | None, language: str | None) -> str:
        """A literal; in RDF a literal with a language has no datatype of its own."""
        text = literal(value)
        if language is not None and datatype is None and _LANGUAGE.fullmatch(language):
            return f"{text}@{language}"
        if language is not None:
            both = quote(datatype or "", safe="") + "@" + quote(language, safe="")
            return f"{text}^^<{self._prefix}language:{both}>"
        if datatype is None:
            return text
        # RDF treats xsd:string as no datatype; a graph of kgdb distinguishes them.
        own = datatype.startswith("urn:kgdb:") or datatype == _STRING
        if _IRI.fullmatch(datatype) and not own:
            return f"{text}^^<{datatype}>"
        return f"{text}^^{self.iri('datatype', datatype)}"


def literal(text: str) -> str:
    """A text as a literal, escaped and quoted."""
    return str(rdf.Literal(text))


def typed_literal(value: Any) -> str:
    """A property of a relationship as a literal; a list is JSON, which keeps its order."""
    match value:
        case bool():
            text, datatype = str(value).lower(), f"{_XSD}boolean"
        case int():
            text, datatype = str(value), f"{_XSD}integer"
        case float():
            text, datatype = _NOT_FINITE.get(repr(value), repr(value)), f"{_XSD}double"
        case datetime():
            text, datatype = value.isoformat(), f"{_XSD}dateTime"
        case date():
            text, datatype = value.isoformat(), f"{_XSD}date"
        case list():
            text, datatype = json.dumps(value, ensure_ascii=False), _LIST
        case _:
            return literal(str(value))
    return f"{literal(text)}^^<{datatype}>"


def _lines(
    tables: duckdb.DuckDBPyConnection, terms: _Terms, qualifiers: Qualifiers
) -> Iterator[str]:
    for entity, name, aliases, labels, mediator in _rows(
        tables, "SELECT id, name, aliases, labels, mediator FROM entities ORDER BY id"
    ):
        subject = terms.iri("entity", entity)
        yield f"{subject} {LABEL} {literal(name)}"
        yield from (f"{subject} {ALIAS} {literal(alias)}" for alias in aliases)
        # The label is reserved, so no other entity has it.
        kinds = [*labels, "Mediator"] if mediator else labels
        yield from (f"{subject} {TYPE} {terms.iri('label', kind)}" for kind in kinds)
    numbers = count(1)
    yield from _facts(tables, terms, qualifiers, numbers, "triples", ["head", "relation", "tail"])
    columns = ["head", "relation", "value", "datatype", "language"]
    yield from _facts(tables, terms, qualifiers, numbers, "literals", columns)
    for relation, *texts in _rows(
        tables, f"SELECT id, {', '.join(RELATION_TEXTS)} FROM relations ORDER BY id"
    ):
        for kind, text in zip(RELATION_TEXTS, texts, strict=True):
            if text is not None:
                subject = terms.iri("relation", relation)
                yield f"{subject} <urn:kgdb:relation:{kind}> {literal(text)}"


def _facts(
    tables: duckdb.DuckDBPyConnection,
    terms: _Terms,
    qualifiers: Qualifiers,
    numbers: Iterator[int],
    table: str,
    columns: list[str],
) -> Iterator[str]:
    """The triples of one of the tables of facts, each once, with the nodes that stand for them."""
    further = qualifiers.select(columns)
    query = f"SELECT DISTINCT {', '.join(columns)}{further} FROM {table} ORDER BY ALL"
    width = len(columns)
    for (head, relation, *value), rows in groupby(_rows(tables, query), lambda row: row[:width]):
        tail = terms.literal(*value) if table == "literals" else terms.iri("entity", value[0])
        triple = f"{terms.iri('entity', head)} {terms.iri('relation', relation)} {tail}"
        yield triple
        facts = [row[width:] for row in rows]
        if any(held is not None for fact in facts for held in fact):
            for fact in facts:
                yield from _fact(terms, f"_:f{next(numbers)}", triple, qualifiers.names, fact)


def _fact(
    terms: _Terms, node: str, triple: str, names: list[str], values: tuple[Any, ...]
) -> Iterator[str]:
    """The lines of a node that stands for a fact with these properties."""
    yield f"{node} {REIFIES} <<( {triple} )>>"
    held = [(name, value) for name, value in zip(names, values, strict=True) if value is not None]
    if not held:
        yield f"{node} {UNQUALIFIED} {typed_literal(True)}"
    for name, value in held:
        yield f"{node} {terms.iri('qualifier', name)} {typed_literal(value)}"


def _rows(tables: duckdb.DuckDBPyConnection, query: str) -> Iterator[tuple[Any, ...]]:
    cursor = tables.execute(query)
    while rows := cursor.fetchmany(10_000):
        yield from rows
