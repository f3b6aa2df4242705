"""Loader files: TOML that maps a source to entities, triples and relation texts.

``docs/reference/loaders.md`` describes the format. A new knowledge graph takes one such file, and
no Python.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Any

from kgdb import shipped_files, text_arguments
from kgdb.errors import UsageError
from kgdb.loading.loaders.loader_spec import (
    NAME,
    RESERVED_LABELS,
    LoaderSpec,
    Option,
    RelationText,
    SourceSpec,
    Tables,
)
from kgdb.loading.loaders.loader_toml import parsed_toml
from kgdb.loading.reading import FORMATS, Source
from kgdb.loading.reading.recognition import CYPHER_SCRIPT, recognize_name
from kgdb.wording import short

_LABEL = re.compile(r"[A-Za-z]\w{0,62}")
_TABLE = re.compile(r"[a-z][a-z0-9_]{0,62}")
_ANY = re.compile(r"(?s).+")
_KEYS = {
    "name",
    "label",
    "title",
    "licence",
    "metadata",
    "relations_from",
    "tables_from",
    "options",
    "source",
    "sources",
    "views",
    "tables",
    "relations",
}
_SOURCE_KEYS = {
    *("file", "format", "delimiter", "columns", "optional", "relative_iris"),
    *("required_if_set", "skip", "names", "header"),
}
_NO_COLUMNS = "must be a list of different column names"
_TABLES = {"triples", "literals", "entities", "relations", "other", "notes"}
TABLES_OF_KGDB = {
    "entities",
    "ids",
    "literals",
    "named",
    "raw_literals",
    "raw_triples",
    "rejected",
    "relation_texts",
    "relation_types",
    "triples",
}
"""Tables that kgdb creates beside the loader's sources and views."""

_OPTION_KEYS = {"default", "help", "choices"}
_TEXTS = ("text", "inverse", "question", "inverse_question")
_MAIN = "source"
_FORMAT_NAMES = {other: name for name, form in FORMATS.items() for other in form.names}
"""Other names of formats, and programs that write them, with the loaders."""

_MAX_SKIP = 1_000_000_000
_SCRIPTS = frozenset({"cypher", "cql", "neo4j"})


def available() -> tuple[str, ...]:
    """The names of the loaders that ship with kgdb."""
    return tuple(sorted(path.stem for path in shipped_files.loaders().glob("*.toml")))


def read_spec(loader: str) -> LoaderSpec:
    """The loader of that name, or the loader file at that path, which ends in ``.toml``.

    Raises :class:`UsageError` for an unknown name or an invalid file, and names the key.
    """
    if text_arguments.text("loader", loader, "the name of a loader", empty=True).endswith(".toml"):
        path = Path(loader).expanduser()
    else:
        path = shipped_files.loaders() / f"{loader}.toml"
        if not NAME.fullmatch(loader) or not path.is_file():
            near = [
                *filter(None, [_FORMAT_NAMES.get(loader.lower())]),
                *get_close_matches(loader, available(), n=1),
            ]
            meant = f" Did you mean {near[0]}?" if near else ""
            raise UsageError(
                f"There is no loader {short(loader)}.{meant} Loaders are: "
                f"{', '.join(available())}.",
                hint=_without_loader(loader),
            )
    definition, data = parsed_toml(path)
    return _Reader(path).read(data, definition)


def _without_loader(name: str) -> str:
    """What helps where the user names something else than a loader: a file, or another format."""
    if found := recognize_name(Path(name)):
        return f"{name} is {found.content}. {found.hint_for(Path(name))}"
    if name.lower() in _SCRIPTS:
        return f"No loader reads {CYPHER_SCRIPT.content}. {CYPHER_SCRIPT.hint}"
    if Path(name).is_file():
        return (
            f"To load that file: kgdb load csv {name} (or tsv, jsonl, parquet, ntriples, turtle). "
            f"To draft a loader file: kgdb load mine --init {name}"
        )
    return "For a graph of your own, name a loader file: kgdb load ./mine.toml SOURCE"


class _Reader:
    """Checks a parsed loader file; every error names the file and the key."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self, data: dict[str, Any], definition: str) -> LoaderSpec:
        self.known("", data, _KEYS)
        name = self.text("name", data.get("name"), NAME, "lower-case letters, digits, - and _")
        label = self.text(
            "label", data.get("label"), _LABEL, "a letter, then letters, digits and _"
        )
        if label in RESERVED_LABELS:
            raise self.error(
                "label", f"is {short(label)}, which is reserved for kgdb; choose another"
            )
        options = self.options(data.get("options", {}))
        sources = self.sources(data, options)
        views = self.views(data, {each.input.table for each in sources})
        texts_from = self.inherited("relations_from", data)
        based = self.inherited("tables_from", data)
        return LoaderSpec(
            name=name,
            label=label,
            title=self.optional("title", data.get("title")) or name,
            licence=self.optional("licence", data.get("licence")) or "unknown",
            metadata=self.optional("metadata", data.get("metadata")),
            options=MappingProxyType(options),
            sources=sources,
            views=MappingProxyType({**(based.views if based else {}), **views}),
            tables=self.tables(data.get("tables"), based),
            relations=MappingProxyType(
                {
                    **(texts_from.relations if texts_from else {}),
                    **self.relations(self.table("relations", data.get("relations", {}))),
                }
            ),
            definition=definition
            + "".join(each.definition for each in (texts_from, based) if each),
        )

    def options(self, entries: object) -> dict[str, Option]:
        options = {}
        for name, given in self.table("options", entries).items():
            key = f"options.{name}"
            entry = self.table(key, given)
            self.known(f"{key}.", entry, _OPTION_KEYS)
            self.text(key, name, _TABLE, "a name of lower-case letters, digits and _")
            choices = entry.get("choices", [])
            if not isinstance(choices, list) or not all(isinstance(one, str) for one in choices):
                raise self.error(f"{key}.choices", "must be a list of texts")
            default = entry.get("default")
            if not isinstance(default, str) or (choices and default not in choices):
                raise self.error(f"{key}.default", "must be a text, and one of the choices")
            options[name] = Option(
                default,
                self.text(f"{key}.help", entry.get("help"), _ANY, "a text"),
                tuple(choices),
            )
        return options

    def sources(
        self, data: dict[str, Any], options: Mapping[str, Option]
    ) -> tuple[SourceSpec, ...]:
        if ("source" in data) == ("sources" in data):
            raise self.error("source", "is missing; expected [source], or [sources.NAME] for each")
        if "source" in data:
            return (self.source("source", _MAIN, data["source"], options),)
        named = self.table("sources", data["sources"])
        if not named:
            raise self.error("sources", "is empty; expected [sources.NAME] for each source")
        sources = tuple(
            self.source(f"sources.{table}", table, given, options) for table, given in named.items()
        )
        main = [each for each in sources if each.file is None]
        if len(main) > 1:
            raise self.error(
                f"sources.{main[1].input.table}.file",
                "is missing; only one source may have no file",
            )
        return sources

    def source(
        self, key: str, table: str, given: object, options: Mapping[str, Option]
    ) -> SourceSpec:
        entry = self.table(key, given)
        self.known(f"{key}.", entry, _SOURCE_KEYS)
        self.table_name(key, table)
        kind = entry.get("format", "delimited")
        for each in self.choices(f"{key}.format", kind, options) or [kind]:
            if not isinstance(each, str) or each not in FORMATS:
                expected = ", ".join(FORMATS)
                raise self.error(f"{key}.format", f"is {short(each)}; expected one of: {expected}")
        columns = self.columns(f"{key}.columns", entry.get("columns", []), options)
        if not columns and kind == "delimited":
            raise self.error(f"{key}.columns", _NO_COLUMNS)
        required_if_set = self.columns(
            f"{key}.required_if_set", entry.get("required_if_set", []), options
        )
        if required_if_set and kind == "delimited":
            raise self.error(
                f"{key}.required_if_set", "does not apply to delimited, which has only `columns`"
            )
        delimiter = entry.get("delimiter")
        if self.choices(f"{key}.delimiter", delimiter, options) is None and (
            delimiter is not None or kind == "delimited"
        ):
            self.text(f"{key}.delimiter", delimiter, re.compile("."), "one character")
        file = self.optional(f"{key}.file", entry.get("file"))
        beside = self.path.parent / file if file else None
        delimiter = delimiter or ("," if kind == "csv" else "\t")
        relative_iris = self.flag(f"{key}.relative_iris", entry.get("relative_iris", False))
        return SourceSpec(
            replace(
                self.rows(key, Source(table, kind, columns, delimiter, relative_iris), entry),
                required_if_set=required_if_set,
            ),
            file,
            beside if beside and beside.is_file() else None,
            self.flag(f"{key}.optional", entry.get("optional", False)),
        )

    def columns(self, key: str, given: object, options: Mapping[str, Option]) -> tuple[str, ...]:
        if not (
            isinstance(given, list)
            and len(set(map(str, given))) == len(given)
            and all(
                self.choices(key, column, options) is not None
                or (isinstance(column, str) and column.strip())
                for column in given
            )
        ):
            raise self.error(key, _NO_COLUMNS)
        return tuple(given)

    def rows(self, key: str, input: Source, entry: Mapping[str, Any]) -> Source:
        """The input with the entry's keys for skipped lines and for the names of columns."""
        skip = entry.get("skip", 0)
        if not isinstance(skip, int) or isinstance(skip, bool) or not 0 <= skip <= _MAX_SKIP:
            raise self.error(
                f"{key}.skip", f"is {short(skip)}; expected a number of lines up to {_MAX_SKIP:,}"
            )
        names = entry.get("names", [])
        if not isinstance(names, list) or not all(each and isinstance(each, str) for each in names):
            raise self.error(f"{key}.names", f"is {short(names)}; expected a list of texts")
        header = self.flag(f"{key}.header", entry.get("header", True))
        if skip and input.format not in {"csv", "delimited"}:
            raise self.error(f"{key}.skip", "applies only to csv and delimited")
        if names and input.format != "csv":
            raise self.error(
                f"{key}.names", "applies only to csv; for delimited, `columns` gives the names"
            )
        if not header and input.format != "csv":
            raise self.error(f"{key}.header", "applies only to csv")
        if not header and not names:
            raise self.error(f"{key}.header", "is false; expected `names` for the columns")
        return replace(input, skip=skip, names=tuple(names), header=header)

    def choices(
        self, key: str, value: object, options: Mapping[str, Option]
    ) -> tuple[str, ...] | None:
        """The choices of the option if the value is ``{option}``; ``None`` if it is not."""
        reference = isinstance(value, str) and re.fullmatch(r"\{(\w+)\}", value)
        if not reference:
            return None
        option = options.get(reference[1])
        if option is None:
            raise self.error(key, f"names the unknown option {short(reference[1])}")
        return option.choices

    def views(self, data: dict[str, Any], sources: set[str]) -> dict[str, str]:
        views = {}
        for name, given in self.table("views", data.get("views", {})).items():
            key = f"views.{name}"
            self.table_name(key, name)
            if name in sources:
                raise self.error(key, "is the name of a source")
            views[name] = self.text(key, given, _ANY, "a SELECT")
        return views

    def table_name(self, key: str, name: str) -> None:
        self.text(key, name, _TABLE, "a table name of lower-case letters, digits and _")
        if name in TABLES_OF_KGDB:
            raise self.error(key, "is the name of a table that kgdb creates itself; choose another")

    def tables(self, given: object, based: LoaderSpec | None) -> Tables:
        entries = self.table("tables", {} if given is None and based else given)
        self.known("tables.", entries, _TABLES)
        for name, query in entries.items():
            self.text(f"tables.{name}", query, _ANY, "a SELECT")
        if based:
            return replace(based.tables, **entries)
        if "triples" not in entries:
            raise self.error("tables.triples", "is missing; expected a SELECT")
        return Tables(**entries)

    def inherited(self, key: str, data: Mapping[str, Any]) -> LoaderSpec | None:
        """The shipped loader that the key names, if any."""
        name = self.optional(key, data.get(key))
        if name is None:
            return None
        if name not in available():
            raise self.error(key, f"is {short(name)}; expected one of: {', '.join(available())}")
        return read_spec(name)

    def relations(self, entries: Mapping[str, Any]) -> dict[str, RelationText]:
        text_arguments = {}
        for relation, given in entries.items():
            key = f"relations.{relation}"
            entry = self.table(key, given)
            self.known(f"{key}.", entry, set(_TEXTS))
            for kind, text in entry.items():
                if not isinstance(text, str) or text.count("{}") != 1:
                    raise self.error(f"{key}.{kind}", "must contain {} once")
            text_arguments[relation] = RelationText(**entry)
        return text_arguments

    def known(self, prefix: str, data: Mapping[str, Any], keys: set[str]) -> None:
        for key in data:
            if key not in keys:
                allowed = ", ".join(sorted(keys))
                raise self.error(prefix + key, f"is not a known key; expected one of: {allowed}")

    def table(self, key: str, value: object) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self.error(key, f"is {_shown(value)}; expected a table")
        return value

    def text(self, key: str, value: object, pattern: re.Pattern[str], expected: str) -> str:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise self.error(key, f"is {_shown(value)}; expected {expected}")
        return value

    def flag(self, key: str, value: object) -> bool:
        if not isinstance(value, bool):
            raise self.error(key, f"is {short(value)}; expected true or false")
        return value

    def optional(self, key: str, value: object) -> str | None:
        return None if value is None else self.text(key, value, _ANY, "a text")

    def error(self, key: str, problem: str) -> UsageError:
        return UsageError(f"{self.path}: `{key}` {problem}.", hint="See docs/reference/loaders.md.")


def _shown(value: object) -> str:
    return "missing" if value is None else short(value)
