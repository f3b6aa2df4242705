"""Loader files: TOML that maps a source to entities, triples and relation texts.

``docs/reference/loaders.md`` describes the format. A new knowledge graph takes one such file, and
no Python.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Any

from kgdb import shipped_files, text_arguments
from kgdb.errors import UsageError
from kgdb.loading.loaders.loader_spec import (
    NAME,
    RELATION_TEXTS,
    RESERVED_LABELS,
    LoaderSpec,
    Option,
    RelationText,
    SourceSpec,
    Tables,
)
from kgdb.loading.reading import FORMATS, Source
from kgdb.loading.reading.input_limits import MAX_DEPTH
from kgdb.loading.reading.recognition import CYPHER_SCRIPT, recognize_name
from kgdb.wording import short

_MAX_BYTES = 1 << 20
_PAGE = "See docs/reference/loaders.md."

_LABEL = re.compile(r"[A-Za-z]\w{0,62}")
_TABLE = re.compile(r"[a-z][a-z0-9_]{0,62}")
_ANY = re.compile(r"(?s).+")
_KEYS = {
    *("name", "label", "title", "licence", "metadata", "relations_from", "tables_from"),
    *("options", "source", "sources", "views", "tables", "relations"),
}
_SOURCE_KEYS = {
    *("file", "format", "delimiter", "columns", "optional", "relative_iris"),
    *("required_if_set", "skip", "names", "header"),
}
_NO_COLUMNS = "must be a list of different column names"
_TABLES = {field.name for field in fields(Tables)}
TABLES_OF_KGDB = {
    *("entities", "ids", "literals", "named", "raw_literals", "raw_triples", "rejected"),
    *("relation_texts", "relation_types", "triples"),
}
"""Tables that kgdb creates beside the loader's sources and views."""

_FORMAT_NAMES = {other: name for name, form in FORMATS.items() for other in form.names}
"""Other names of formats, and programs that write them, with the loaders."""

_MAX_SKIP = 1_000_000_000
_SCRIPTS = frozenset({"cypher", "cql", "neo4j"})


def parsed_toml(path: Path) -> tuple[str, dict[str, Any]]:
    """The text of a loader file and its data."""
    try:
        if path.exists() and not path.is_file():
            raise UsageError(f"The loader file {path} cannot be read: it is no file.")
        if (size := path.stat().st_size) > _MAX_BYTES:
            raise UsageError(
                f"The loader file {path} has {size:,} bytes; expected at most {_MAX_BYTES:,}.",
                hint="A loader file describes a source. Is this the source itself?",
            )
        definition = path.read_text(encoding="utf-8-sig")
        if any(line.count(".") > MAX_DEPTH for line in definition.splitlines()):
            raise RecursionError  # a dotted key takes the square of its parts
        data = tomllib.loads(definition)
        _require_plain(data)
        return definition, data
    except OSError as error:
        raise UsageError(f"The loader file {path} cannot be read: {error.strerror}.") from error
    except RecursionError as error:
        raise UsageError(f"The loader file {path} is nested too deep.", hint=_PAGE) from error
    except ValueError as error:  # also UTF-8 and numbers with more digits than Python converts
        raise UsageError(f"The loader file {path} is not valid TOML: {error}") from error


def _require_plain(data: object) -> None:
    """Raise for deep nesting, and for a number beyond the 64 bits of TOML, which Python reads."""
    level = [data]
    for _ in range(MAX_DEPTH):
        if any(isinstance(each, int) and each.bit_length() >= 64 for each in level):
            raise ValueError("a whole number has more than 64 bits")
        lists = (each.values() if isinstance(each, dict) else each for each in level)
        level = [
            item
            for each in lists
            if isinstance(each, Iterable)
            for item in each
            if not isinstance(item, str)
        ]
        if not level:
            return
    raise RecursionError


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
    return _spec(_Section(path, "", data), definition)


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


@dataclass(frozen=True, slots=True)
class _Section:
    """A table of a loader file; every error names the file and the key."""

    path: Path
    prefix: str
    entries: Mapping[str, Any]

    def error(self, name: str, problem: str) -> UsageError:
        return UsageError(
            f"{self.path}: `{self.prefix}{name}` {problem}.", hint="See docs/reference/loaders.md."
        )

    def require_known(self, names: set[str]) -> None:
        for name in self.entries:
            if name not in names:
                allowed = ", ".join(sorted(names))
                raise self.error(name, f"is not a known key; expected one of: {allowed}")

    def section(self, name: str) -> _Section:
        """The table of that name, which may be missing."""
        value = self.entries.get(name, {})
        if not isinstance(value, dict):
            raise self.error(name, f"is {_shown(value)}; expected a table")
        return _Section(self.path, f"{self.prefix}{name}.", value)

    def sections(self) -> Iterator[tuple[str, _Section]]:
        return ((name, self.section(name)) for name in self.entries)

    def text(self, name: str, pattern: re.Pattern[str] = _ANY, expected: str = "a text") -> str:
        return self.matching(name, self.entries.get(name), pattern, expected)

    def matching(self, name: str, value: object, pattern: re.Pattern[str], expected: str) -> str:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise self.error(name, f"is {_shown(value)}; expected {expected}")
        return value

    def optional(self, name: str) -> str | None:
        return None if self.entries.get(name) is None else self.text(name)

    def flag(self, name: str, default: bool) -> bool:
        value = self.entries.get(name, default)
        if not isinstance(value, bool):
            raise self.error(name, f"is {short(value)}; expected true or false")
        return value

    def require_table_name(self, name: str) -> None:
        self.matching(name, name, _TABLE, "a table name of lower-case letters, digits and _")
        if name in TABLES_OF_KGDB:
            raise self.error(
                name, "is the name of a table that kgdb creates itself; choose another"
            )


def _spec(file: _Section, definition: str) -> LoaderSpec:
    file.require_known(_KEYS)
    name = file.text("name", NAME, "lower-case letters, digits, - and _")
    label = file.text("label", _LABEL, "a letter, then letters, digits and _")
    if label in RESERVED_LABELS:
        raise file.error("label", f"is {short(label)}, which is reserved for kgdb; choose another")
    options = {key: _option(file, key) for key in file.section("options").entries}
    sources = _sources(file, options)
    views = _views(file.section("views"), {each.input.table for each in sources})
    texts_from = _inherited(file, "relations_from")
    based = _inherited(file, "tables_from")
    return LoaderSpec(
        name=name,
        label=label,
        title=file.optional("title") or name,
        licence=file.optional("licence") or "unknown",
        metadata=file.optional("metadata"),
        options=MappingProxyType(options),
        sources=sources,
        views=MappingProxyType({**(based.views if based else {}), **views}),
        tables=_tables(file, based),
        relations=MappingProxyType(
            {
                **(texts_from.relations if texts_from else {}),
                **{key: _relation(each) for key, each in file.section("relations").sections()},
            }
        ),
        definition=definition + "".join(each.definition for each in (texts_from, based) if each),
    )


def _option(file: _Section, name: str) -> Option:
    options = file.section("options")
    entry = options.section(name)
    entry.require_known({"default", "help", "choices"})
    options.matching(name, name, _TABLE, "a name of lower-case letters, digits and _")
    choices = entry.entries.get("choices", [])
    if not isinstance(choices, list) or not all(isinstance(one, str) for one in choices):
        raise entry.error("choices", "must be a list of texts")
    default = entry.entries.get("default")
    if not isinstance(default, str) or (choices and default not in choices):
        raise entry.error("default", "must be a text, and one of the choices")
    return Option(default, entry.text("help"), tuple(choices))


def _sources(file: _Section, options: Mapping[str, Option]) -> tuple[SourceSpec, ...]:
    if ("source" in file.entries) == ("sources" in file.entries):
        raise file.error("source", "is missing; expected [source], or [sources.NAME] for each")
    if "source" in file.entries:
        return (_source(file, "source", options),)
    named = file.section("sources")
    if not named.entries:
        raise file.error("sources", "is empty; expected [sources.NAME] for each source")
    sources = tuple(_source(named, table, options) for table in named.entries)
    main = [each for each in sources if each.file is None]
    if len(main) > 1:
        raise named.section(main[1].input.table).error(
            "file", "is missing; only one source may have no file"
        )
    return sources


def _source(parent: _Section, table: str, options: Mapping[str, Option]) -> SourceSpec:
    given = parent.section(table)
    given.require_known(_SOURCE_KEYS)
    parent.require_table_name(table)
    kind = given.entries.get("format", "delimited")
    for each in _choices(given, "format", kind, options) or [kind]:
        if not isinstance(each, str) or each not in FORMATS:
            raise given.error("format", f"is {short(each)}; expected one of: {', '.join(FORMATS)}")
    columns = _columns(given, "columns", options)
    if not columns and kind == "delimited":
        raise given.error("columns", _NO_COLUMNS)
    required_if_set = _columns(given, "required_if_set", options)
    if required_if_set and kind == "delimited":
        raise given.error(
            "required_if_set", "does not apply to delimited, which has only `columns`"
        )
    delimiter = given.entries.get("delimiter")
    if _choices(given, "delimiter", delimiter, options) is None and (
        delimiter is not None or kind == "delimited"
    ):
        given.text("delimiter", re.compile("."), "one character")
    file = given.optional("file")
    beside = parent.path.parent / file if file else None
    skip, names, header = _header(given, kind)
    return SourceSpec(
        Source(
            table,
            kind,
            columns,
            delimiter or ("," if kind == "csv" else "\t"),
            given.flag("relative_iris", False),
            required_if_set,
            skip,
            names,
            header,
        ),
        file,
        beside if beside and beside.is_file() else None,
        given.flag("optional", False),
    )


def _columns(given: _Section, name: str, options: Mapping[str, Option]) -> tuple[str, ...]:
    columns = given.entries.get(name, [])
    if not (
        isinstance(columns, list)
        and len(set(map(str, columns))) == len(columns)
        and all(
            _choices(given, name, column, options) is not None
            or (isinstance(column, str) and column.strip())
            for column in columns
        )
    ):
        raise given.error(name, _NO_COLUMNS)
    return tuple(columns)


def _header(given: _Section, kind: str) -> tuple[int, tuple[str, ...], bool]:
    """The lines to skip, the names of the columns, and whether there is a header line."""
    skip = given.entries.get("skip", 0)
    if not isinstance(skip, int) or isinstance(skip, bool) or not 0 <= skip <= _MAX_SKIP:
        raise given.error(
            "skip", f"is {short(skip)}; expected a number of lines up to {_MAX_SKIP:,}"
        )
    names = given.entries.get("names", [])
    if not isinstance(names, list) or not all(each and isinstance(each, str) for each in names):
        raise given.error("names", f"is {short(names)}; expected a list of texts")
    header = given.flag("header", True)
    if skip and kind not in {"csv", "delimited"}:
        raise given.error("skip", "applies only to csv and delimited")
    if names and kind != "csv":
        raise given.error("names", "applies only to csv; for delimited, `columns` gives the names")
    if not header and kind != "csv":
        raise given.error("header", "applies only to csv")
    if not header and not names:
        raise given.error("header", "is false; expected `names` for the columns")
    return skip, tuple(names), header


def _choices(
    given: _Section, name: str, value: object, options: Mapping[str, Option]
) -> tuple[str, ...] | None:
    """The choices of the option if the value is ``{option}``; ``None`` if it is not."""
    reference = isinstance(value, str) and re.fullmatch(r"\{(\w+)\}", value)
    if not reference:
        return None
    option = options.get(reference[1])
    if option is None:
        raise given.error(name, f"names the unknown option {short(reference[1])}")
    return option.choices


def _views(given: _Section, sources: set[str]) -> dict[str, str]:
    for name in given.entries:
        given.require_table_name(name)
        if name in sources:
            raise given.error(name, "is the name of a source")
        given.text(name, expected="a SELECT")
    return dict(given.entries)


def _tables(file: _Section, based: LoaderSpec | None) -> Tables:
    if file.entries.get("tables") is None and not based:
        raise file.error("tables", "is missing; expected a table")
    given = file.section("tables")
    given.require_known(_TABLES)
    for name in given.entries:
        given.text(name, expected="a SELECT")
    if based:
        return replace(based.tables, **given.entries)
    if "triples" not in given.entries:
        raise given.error("triples", "is missing; expected a SELECT")
    return Tables(**given.entries)


def _inherited(file: _Section, name: str) -> LoaderSpec | None:
    """The shipped loader that the key names, if any."""
    loader = file.optional(name)
    if loader is None:
        return None
    if loader not in available():
        raise file.error(name, f"is {short(loader)}; expected one of: {', '.join(available())}")
    return read_spec(loader)


def _relation(given: _Section) -> RelationText:
    given.require_known(set(RELATION_TEXTS))
    for name, text in given.entries.items():
        if not isinstance(text, str) or text.count("{}") != 1:
            raise given.error(name, "must contain {} once")
    return RelationText(**given.entries)


def _shown(value: object) -> str:
    return "missing" if value is None else short(value)
