"""Loader files: how one kind of source becomes entities, triples and relation texts.

A loader is a TOML file; ``docs/loaders.md`` describes its format. Adding a knowledge graph takes
one such file and no Python.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from kgdb import resources
from kgdb.errors import UsageError

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")
_LABEL = re.compile(r"[A-Za-z]\w{0,62}")
_ANY = re.compile(r"(?s).+")
_KEYS = {"name", "label", "title", "licence", "relations_of", "source", "tables", "relations"}
_RESERVED_LABELS = {"Entity", "Relation", "KnowledgeGraph", "Literal", "Mediator"}
_TEXTS = ("text", "inverse", "question", "inverse_question")


@dataclass(frozen=True, slots=True)
class RelationText:
    """How a relation reads; each text has one ``{}`` where the other end goes.

    ``text`` and ``inverse`` are noun phrases for the hop along and against the relation;
    ``question`` and ``inverse_question`` ask for it. ``None``: derived from the relation's id.
    """

    text: str | None = None
    inverse: str | None = None
    question: str | None = None
    inverse_question: str | None = None


@dataclass(frozen=True, slots=True)
class LoaderSpec:
    """One loader file, checked.

    ``file``: the source it comes with (``None``: the user names one). ``columns`` name the fields
    of the ``source`` table that the SQL in ``triples`` (head, relation, tail) and ``entities``
    (id, name) reads. ``definition`` is the text of the file, and of the one whose relations it
    takes over.
    """

    name: str
    label: str
    title: str
    licence: str
    file: Path | None
    delimiter: str
    columns: tuple[str, ...]
    triples: str
    entities: str
    relations: Mapping[str, RelationText]
    definition: str


def available() -> tuple[str, ...]:
    """The names of the loaders that ship with kgdb."""
    return tuple(sorted(path.stem for path in resources.loaders().glob("*.toml")))


def read_spec(loader: str) -> LoaderSpec:
    """The loader of that name, or the loader file at that path (it ends in ``.toml``).

    Raises :class:`UsageError` for an unknown name or a file that is not a loader, naming the key.
    """
    if loader.endswith(".toml"):
        path = Path(loader).expanduser()
    else:
        path = resources.loaders() / f"{loader}.toml"
        if not _NAME.fullmatch(loader) or not path.is_file():
            near = get_close_matches(loader, available(), n=1)
            meant = f" Did you mean {near[0]}?" if near else ""
            raise UsageError(
                f"There is no loader {loader!r}.{meant} Loaders are: {', '.join(available())}.",
                hint="For a graph of your own, name a loader file: kgdb load ./mine.toml SOURCE",
            )
    try:
        definition = path.read_text(encoding="utf-8")
        return _Reader(path).read(tomllib.loads(definition), definition)
    except OSError as error:
        raise UsageError(f"The loader file {path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"The loader file {path} is not valid TOML: {error}") from error


class _Reader:
    """Checks a parsed loader file; every refusal names the file and the key."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self, data: dict[str, Any], definition: str) -> LoaderSpec:
        self.known("", data, _KEYS)
        name = self.text("name", data.get("name"), _NAME, "lower-case letters, digits, - and _")
        label = self.text(
            "label", data.get("label"), _LABEL, "a letter, then letters, digits and _"
        )
        if label in _RESERVED_LABELS:
            raise self.error("label", f"is {label!r}, which kgdb uses itself; choose another")
        source = self.table("source", data.get("source"))
        tables = self.table("tables", data.get("tables"))
        self.known("source.", source, {"file", "delimiter", "columns"})
        self.known("tables.", tables, {"triples", "entities"})
        columns = source.get("columns")
        if not (
            isinstance(columns, list)
            and columns
            and len(set(map(str, columns))) == len(columns)
            and all(isinstance(column, str) and column.isidentifier() for column in columns)
        ):
            raise self.error("source.columns", "must be a list of different column names")
        inherited = self.inherited(data.get("relations_of"))
        file = self.optional("source.file", source.get("file"))
        return LoaderSpec(
            name=name,
            label=label,
            title=self.optional("title", data.get("title")) or name,
            licence=self.optional("licence", data.get("licence")) or "unknown",
            file=self.path.parent / file if file else None,
            delimiter=self.text(
                "source.delimiter", source.get("delimiter"), re.compile("."), "one character"
            ),
            columns=tuple(columns),
            triples=self.text("tables.triples", tables.get("triples"), _ANY, "a SELECT"),
            entities=self.text("tables.entities", tables.get("entities"), _ANY, "a SELECT"),
            relations={
                **(inherited.relations if inherited else {}),
                **self.relations(self.table("relations", data.get("relations", {}))),
            },
            definition=definition + (inherited.definition if inherited else ""),
        )

    def inherited(self, relations_of: object) -> LoaderSpec | None:
        """The shipped loader whose relation texts are taken over, if any."""
        name = self.optional("relations_of", relations_of)
        if name is None:
            return None
        if name not in available():
            shipped = ", ".join(available())
            raise self.error("relations_of", f"is {name!r}; expected one of: {shipped}")
        return read_spec(name)

    def relations(self, entries: Mapping[str, Any]) -> dict[str, RelationText]:
        texts = {}
        for relation, given in entries.items():
            key = f"relations.{relation}"
            entry = self.table(key, given)
            self.known(f"{key}.", entry, set(_TEXTS))
            for kind, text in entry.items():
                if not isinstance(text, str) or text.count("{}") != 1:
                    raise self.error(f"{key}.{kind}", "must contain {} once")
            texts[relation] = RelationText(**entry)
        return texts

    def known(self, prefix: str, data: Mapping[str, Any], keys: set[str]) -> None:
        for key in data:
            if key not in keys:
                allowed = ", ".join(sorted(keys))
                raise self.error(prefix + key, f"is not a key here; allowed are: {allowed}")

    def table(self, key: str, value: object) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self.error(key, f"is {_found(value)}; expected a table")
        return value

    def text(self, key: str, value: object, pattern: re.Pattern[str], expected: str) -> str:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise self.error(key, f"is {_found(value)}; expected {expected}")
        return value

    def optional(self, key: str, value: object) -> str | None:
        return None if value is None else self.text(key, value, _ANY, "a text")

    def error(self, key: str, problem: str) -> UsageError:
        return UsageError(f"{self.path}: `{key}` {problem}.", hint="See docs/loaders.md.")


def _found(value: object) -> str:
    return "missing" if value is None else repr(value)
