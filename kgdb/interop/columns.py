"""Results as tables: the columns of each type of result, with their types."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from kgdb.errors import UsageError
from kgdb.graph.forms import FormResult
from kgdb.graph.retrieval.results import Rows
from kgdb.plain_text import answer_words, path_text
from kgdb.values import (
    Answer,
    AnsweredEntity,
    Entity,
    EntityValue,
    Path,
    Step,
    TextVerdict,
    Verdict,
    as_json,
)
from kgdb.wording import short

_PROPERTIES = "properties"
"""The field with the properties of relationships; in a table it is JSON, as in procedures."""

_SCALARS = (bool, int, float, str)
"""The first that fits is the type: True is an integer too."""

Tabular = Rows[Any] | Sequence[Any] | Answer | FormResult | Verdict | TextVerdict


@dataclass(frozen=True, slots=True)
class Proof:
    """A row of a verdict: a fact, and whether it is ``"for"`` or ``"against"`` the claim."""

    side: str
    path: Path


@dataclass(frozen=True, slots=True)
class AnsweredValue:
    """The row of an answer that is one value, with the paths that prove it."""

    value: Any
    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The row of an answer or a verdict among others.

    ``answer`` is in words: of a verdict its label, ``None`` where there is no answer. ``value`` is
    the same for programs: the ids of the entities, or the value; of a verdict, ``None``.
    ``evidence`` are the paths in words.
    """

    question: str
    answer: str | None
    kind: str
    value: Any
    evidence: tuple[str, ...]
    confidence: float | None


@dataclass(frozen=True, slots=True)
class Column:
    """``type`` is ``str``, ``int``, ``float``, ``bool``, a ``list[…]`` of them, or ``object``."""

    name: str
    type: Any
    optional: bool
    read: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Table:
    """The columns and their values by name; ``cut`` is that of the original :class:`Rows`."""

    columns: tuple[Column, ...]
    values: Mapping[str, list[Any]]
    cut: tuple[str, ...]


def table(rows: Tabular) -> Table:
    """The results as a table; the first column of a batch, ``batch``, is the index of the set."""
    if isinstance(rows, Answer | FormResult | Verdict):
        return table(_as_found(rows))
    if isinstance(rows, TextVerdict):
        return table(Rows([_outcome(each.verdict) for each in rows.claims], kind=Outcome))
    if isinstance(rows, str | bytes | Mapping) or not isinstance(rows, Sequence):
        raise UsageError(
            f"{short(rows)} is not a result; expected a list of results, an answer or a verdict."
        )
    if rows and all(isinstance(each, Rows) for each in rows):
        return _batch(list(rows))
    if rows and all(isinstance(each, Answer | Verdict) for each in rows):
        return table(Rows(map(_outcome, rows)))
    kind = _kind(rows, rows.kind if isinstance(rows, Rows) else None)
    columns = _columns(kind) if kind else ()
    values = _values(columns, rows)
    if kind in (AnsweredValue, EntityValue, Outcome):
        columns = tuple(_typed(column, values[column.name]) for column in columns)
    return Table(columns, values, rows.cut if isinstance(rows, Rows) else ())


def _outcome(result: Answer | Verdict) -> Outcome:
    evidence = tuple(map(path_text, result.evidence))
    if isinstance(result, Verdict):
        label = None if result.error else result.label
        return Outcome(result.claim, label, result.kind, None, evidence, result.confidence)
    if result.is_empty:
        return Outcome(result.question, None, result.kind, None, evidence, None)
    ids = [answered.entity.id for answered in result.entities]
    value = ids if result.value is None else as_json(result.value)
    words = result.text or answer_words(result)
    return Outcome(result.question, words, result.kind, value, evidence, None)


def _as_found(result: Answer | FormResult | Verdict) -> Rows[Any]:
    """The entities or the value of a question, or the facts for and against a claim."""
    if not isinstance(result, FormResult) and result.error is not None:
        raise UsageError(f"There are no rows, because the question failed: {result.error.message}")
    if not isinstance(result, Verdict):
        cut = ("limit",) if result.truncated else ()
        if result.entities or result.value is None:
            return Rows(result.entities, cut, AnsweredEntity)
        if isinstance(result.value, tuple):
            return Rows(result.value, cut, EntityValue)
        return Rows([AnsweredValue(result.value, result.facts)], cut, AnsweredValue)
    proofs = [
        Proof(side, path)
        for side, paths in (("for", result.supporting), ("against", result.opposing))
        for path in paths
    ]
    return Rows(proofs, (), Proof)


def _batch(found: Sequence[Rows[Any]]) -> Table:
    results = [value for each in found for value in each]
    content = table(Rows(results, kind=found[0].kind))
    batch = Column("batch", int, False, lambda value: value)
    indexes = [index for index, each in enumerate(found) for _ in each]
    cut = tuple(dict.fromkeys(text for each in found for text in each.cut))
    return Table((batch, *content.columns), {"batch": indexes, **content.values}, cut)


def _values(columns: Iterable[Column], rows: Sequence[Any]) -> dict[str, list[Any]]:
    return {column.name: [column.read(row) for row in rows] for column in columns}


def _typed(column: Column, values: Sequence[Any]) -> Column:
    """The column with the type of its values, where all have the same."""
    kinds = {
        next((kind for kind in _SCALARS if isinstance(value, kind)), object) for value in values
    }
    return (
        replace(column, type=kinds.pop()) if column.type is object and len(kinds) == 1 else column
    )


def _kind(rows: Sequence[Any], kind: type[Any] | None) -> type[Any] | None:
    kind = kind or (type(rows[0]) if rows else None)
    for row in rows:
        if type(row) is not kind:
            raise UsageError(
                f"The results have several types, {kind and kind.__name__} and "
                f"{type(row).__name__}; a table has rows of one type."
            )
    if kind is not None and not is_dataclass(kind):
        raise UsageError(
            f"The list contains {short(rows[0])}, which is not a result; expected results of a "
            "graph's methods, or values of kgdb.values."
        )
    return kind


def _columns(kind: type[Any]) -> tuple[Column, ...]:
    """One column per field; entities, steps and paths have several columns."""
    if kind is Path:
        return tuple(_path_columns(lambda value: value))
    hints = get_type_hints(kind)
    return tuple(column for field in fields(kind) for column in _of(field.name, hints[field.name]))


def _of(name: str, hint: Any) -> Iterable[Column]:
    optional = False
    if get_origin(hint) in (Union, UnionType):
        rest = [arg for arg in get_args(hint) if arg is not NoneType]
        optional, hint = len(rest) < len(get_args(hint)), rest[0] if len(rest) == 1 else object
    field = _reader(name)
    if hint is Entity:
        prefix = "" if name == "entity" else f"{name}_"
        yield Column(f"{prefix}id", str, optional, _attribute(field, "id"))
        yield Column(f"{prefix}name", str, optional, _attribute(field, "name"))
    elif hint is Step and not optional:
        yield Column("relation", str, False, _attribute(field, "relation"))
        yield Column("direction", str, False, lambda row: "in" if field(row).reverse else "out")
    elif hint is Step:
        column = name.removesuffix("step") + "relation"
        yield Column(column, str, True, lambda row: field(row) and str(field(row)))
    elif name == _PROPERTIES:
        # Nested, and of any types: a column of a frame has one type.
        yield Column(name, str, True, lambda row: _json(field(row)) if field(row) else None)
    elif hint is Path:
        yield from _path_columns(field)
    elif hint == tuple[Path, ...]:
        yield Column(name, list[list[str]], False, lambda row: [_ids(p) for p in field(row)])
        yield Column("names", list[list[str]], False, lambda row: [_names(p) for p in field(row)])
        yield Column(
            "relations", list[list[str]], False, lambda row: [_relations(p) for p in field(row)]
        )
    elif get_origin(hint) is tuple and get_args(hint)[1:] == (Ellipsis,):
        inner = get_args(hint)[0]
        column_type = list[inner] if inner in (str, int, float, bool) else object  # type: ignore[valid-type]
        yield Column(name, column_type, optional, lambda row: list(field(row)))
    else:
        column_type = hint if hint in (str, int, float, bool) else object
        yield Column(name, column_type, optional, field)


def _path_columns(path: Callable[[Any], Path]) -> Iterable[Column]:
    yield Column("source", str, False, lambda row: path(row).entities[0].id)
    yield Column("target", str, False, lambda row: path(row).entities[-1].id)
    yield Column("ids", list[str], False, lambda row: _ids(path(row)))
    yield Column("names", list[str], False, lambda row: _names(path(row)))
    yield Column("relations", list[str], False, lambda row: _relations(path(row)))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _ids(path: Path) -> list[str]:
    return [entity.id for entity in path.entities]


def _names(path: Path) -> list[str]:
    return [entity.name for entity in path.entities]


def _relations(path: Path) -> list[str]:
    return [str(step) for step in path.steps]


def _reader(name: str) -> Callable[[Any], Any]:
    return lambda row: getattr(row, name)


def _attribute(field: Callable[[Any], Any], name: str) -> Callable[[Any], Any]:
    return lambda row: getattr(field(row), name, None)
