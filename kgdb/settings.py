"""Where kgdb keeps things and which database and models it uses.

A value comes from the first place that gives one: an argument, the environment, the configuration
file, the default. The file is TOML with the field names of :class:`Settings` as keys.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

import platformdirs

from kgdb.errors import UsageError

ENVIRONMENT = {
    "uri": "NEO4J_URI",
    "username": "NEO4J_USERNAME",
    "password": "NEO4J_PASSWORD",
    "database": "NEO4J_DATABASE",
    "plugin": "KGDB_PLUGIN",
    "home": "KGDB_HOME",
    "instance": "KGDB_INSTANCE",
    "java": "KGDB_JAVA",
    "artifact_mirror": "KGDB_ARTIFACT_MIRROR",
    "heap": "KGDB_HEAP",
    "page_cache": "KGDB_PAGE_CACHE",
    "bolt_port": "KGDB_BOLT_PORT",
    "http_port": "KGDB_HTTP_PORT",
    "encoder": "KGDB_ENCODER",
    "llm": "KGDB_LLM",
}

PLUGIN_MODES = ("auto", "required", "never")

_PORT = re.compile(r"[0-9]{1,5}")


@dataclass(frozen=True, slots=True)
class Settings:
    """One resolved configuration.

    ``uri``: a server to use as it is; without one, the local server ``instance`` is used.
    ``plugin``: ``"auto"`` uses the server's kgdb plugin where it has one and plain Cypher else,
    ``"required"`` refuses a server without it, ``"never"`` uses plain Cypher.
    ``home``: everything kgdb stores: server files, jars, instances, models.
    ``java``: a ``java`` executable, or a folder that holds ``bin/java``.
    ``artifact_mirror``: base URL of a Maven repository to download the server's jars from.
    ``heap``, ``page_cache``: sizes as Neo4j writes them (``512m``, ``4g``).
    ``bolt_port``: 0 takes the first free port from 7687 on.  ``http_port``: 0 keeps HTTP off.
    ``encoder``, ``llm``: model names as ``--encoder`` and ``--llm`` take them.
    """

    uri: str | None = None
    username: str = "neo4j"
    password: str | None = None
    database: str = "neo4j"
    plugin: str = "auto"
    home: Path = Path()
    instance: str = "default"
    java: Path | None = None
    artifact_mirror: str | None = None
    heap: str | None = None
    page_cache: str | None = None
    bolt_port: int = 0
    http_port: int = 0
    encoder: str = "minilm"
    llm: str = "smollm2"


def load_settings(environ: Mapping[str, str] | None = None, /, **arguments: object) -> Settings:
    """Resolve the settings.

    ``arguments`` are fields of :class:`Settings`; one that is ``None`` counts as not given.
    Raises :class:`UsageError` for an unknown key or a value of the wrong kind, naming where it
    came from.
    """
    environ = os.environ if environ is None else environ
    values: dict[str, object] = {"home": platformdirs.user_data_path("kgdb", appauthor=False)}
    path = configuration_file(environ)
    for key, value in _read_file(path, explicit=bool(environ.get("KGDB_CONFIG"))).items():
        values[key] = _parse(key, value, f"{path}: {key}")
    for key, variable in ENVIRONMENT.items():
        if text := environ.get(variable):
            values[key] = _parse(key, text, variable)
    for key, argument in arguments.items():
        if argument is not None:
            values[key] = _parse(key, argument, key)
    return Settings(**values)  # type: ignore[arg-type]


def configuration_file(environ: Mapping[str, str]) -> Path:
    """The TOML file that is read when it exists (``KGDB_CONFIG`` names another)."""
    if chosen := environ.get("KGDB_CONFIG"):
        return Path(chosen).expanduser()
    return platformdirs.user_config_path("kgdb", appauthor=False) / "config.toml"


def _read_file(path: Path, *, explicit: bool) -> dict[str, object]:
    if not path.is_file():
        if explicit:
            raise UsageError(
                f"KGDB_CONFIG names {path}, but there is no such file.",
                hint="Create it or unset KGDB_CONFIG.",
            )
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is not valid TOML: {error}") from error
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error


def _parse(key: str, value: object, origin: str) -> object:
    names = [field.name for field in fields(Settings)]
    if key not in names:
        raise UsageError(f"{origin} is not a setting. Settings are: {', '.join(names)}.")
    if key in ("home", "java"):
        if not isinstance(value, str | Path) or not str(value):
            raise UsageError(f"{origin} is {value!r}; expected a path.")
        try:
            return Path(value).expanduser().absolute()
        except RuntimeError as error:
            raise UsageError(f"{origin} is {value!r}; there is no such user.") from error
    if key in ("bolt_port", "http_port"):
        text = str(value)
        if isinstance(value, bool) or not _PORT.fullmatch(text) or int(text) > 65535:
            raise UsageError(f"{origin} is {text!r}; expected a port number from 0 to 65535.")
        return int(text)
    if key == "plugin" and value not in PLUGIN_MODES:
        raise UsageError(f"{origin} is {value!r}; expected {', '.join(PLUGIN_MODES)}.")
    if not isinstance(value, str):
        raise UsageError(f"{origin} is {value!r}; expected a string.")
    return value
