"""Writes a graph as N-Triples, from which every id, name and literal can be restored.

Ids become ``urn:kgdb:GRAPH:entity:…`` (and ``relation``, ``label``, ``datatype``), percent-encoded.
Datatypes that are IRIs stay unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import duckdb

from kgdb.graph import GraphInfo

LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
ALIAS = "<http://www.w3.org/2004/02/skos/core#altLabel>"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
TEXTS = ("text", "inverse", "question", "inverse_question")

_STRING = "http://www.w3.org/2001/XMLSchema#string"
_LANGUAGE = re.compile(r"[a-zA-Z]+(-[a-zA-Z0-9]+)*")
_IRI = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:[^\x00-\x20<>\"{}|^`\\]+")
_ESCAPED = re.compile(r'[\x00-\x1f\x7f"\\]')
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_CACHED = 100_000


def write_ntriples(tables: duckdb.DuckDBPyConnection, graph: GraphInfo, folder: Path) -> None:
    """Write ``graph.nt``: the entities, then the triples, the literals and the relations' texts."""
    with (folder / "graph.nt").open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line} .\n" for line in _lines(tables, _Terms(graph.name)))


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
    return '"' + _ESCAPED.sub(lambda at: _SHORT.get(at[0], f"\\u{ord(at[0]):04X}"), text) + '"'


def _lines(tables: duckdb.DuckDBPyConnection, terms: _Terms) -> Iterator[str]:
    for entity, name, aliases, labels, mediator in _rows(
        tables, "SELECT id, name, aliases, labels, mediator FROM entities ORDER BY id"
    ):
        subject = terms.iri("entity", entity)
        yield f"{subject} {LABEL} {literal(name)}"
        yield from (f"{subject} {ALIAS} {literal(alias)}" for alias in aliases)
        # The label is reserved, so no other entity has it.
        kinds = [*labels, "Mediator"] if mediator else labels
        yield from (f"{subject} {TYPE} {terms.iri('label', kind)}" for kind in kinds)
    for head, relation, tail in _rows(
        tables, "SELECT DISTINCT head, relation, tail FROM triples ORDER BY ALL"
    ):
        yield " ".join(
            [terms.iri("entity", head), terms.iri("relation", relation), terms.iri("entity", tail)]
        )
    for head, relation, value, datatype, language in _rows(
        tables,
        "SELECT DISTINCT head, relation, value, datatype, language FROM literals ORDER BY ALL",
    ):
        subject, predicate = terms.iri("entity", head), terms.iri("relation", relation)
        yield f"{subject} {predicate} {terms.literal(value, datatype, language)}"
    for relation, *texts in _rows(
        tables, f"SELECT id, {', '.join(TEXTS)} FROM relations ORDER BY id"
    ):
        for kind, text in zip(TEXTS, texts, strict=True):
            if text is not None:
                subject = terms.iri("relation", relation)
                yield f"{subject} <urn:kgdb:relation:{kind}> {literal(text)}"


def _rows(tables: duckdb.DuckDBPyConnection, query: str) -> Iterator[tuple[Any, ...]]:
    cursor = tables.execute(query)
    while rows := cursor.fetchmany(10_000):
        yield from rows
