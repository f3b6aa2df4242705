"""A small source of three fields a line, and what is asked of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kgdb.errors import LoadError
from kgdb.loading import Counts, LoaderSpec, PreparedSource, RelationText, prepare
from kgdb.loading.loaders.loader_spec import SourceSpec, Tables
from kgdb.loading.reading import Source

SPEC = LoaderSpec(
    name="mine",
    label="Mine",
    title="Mine",
    licence="-",
    metadata=None,
    options={},
    sources=(
        SourceSpec(
            Source("source", "delimited", ("head", "relation", "tail"), "|"),
            file=None,
            shipped=None,
            optional=False,
        ),
    ),
    views={},
    tables=Tables("SELECT head, relation, tail FROM source"),
    relations={"r": RelationText(text="the r of {}", inverse_question="what has the r {}?")},
    definition="",
)
"""Entities are their names, as in MetaQA."""


def reading(columns: tuple[str, ...], **tables: str) -> LoaderSpec:
    """The same with other columns and SELECTs."""
    main = SPEC.sources[0]
    source = replace(main, input=replace(main.input, columns=columns))
    return replace(SPEC, sources=(source,), tables=Tables(**tables))


def triples(prepared: PreparedSource) -> list[tuple[str, str, str]]:
    return [
        (row["head"], row["relation"], row["tail"])
        for batch in prepared.triples(2)
        for row in batch
    ]


def entities(prepared: PreparedSource) -> list[tuple[str, str]]:
    return [(row["id"], row["name"]) for batch in prepared.entities(2) for row in batch]


def counts(source: Path, content: str | bytes, *, max_errors: int = 100) -> Counts:
    source.write_bytes(content.encode() if isinstance(content, str) else content)
    with prepare(SPEC, source, max_errors=max_errors) as prepared:
        return prepared.counts


def refusal(source: Path, content: str | bytes, spec: LoaderSpec = SPEC) -> LoadError:
    source.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(LoadError) as failure, prepare(spec, source):
        pass
    return failure.value
