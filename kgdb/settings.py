"""The settings of kgdb: its folders, its database and its models.

The first of these sources that has a value wins: argument, environment, configuration file,
default. The file is TOML with the field names of :class:`Settings` as keys.
"""

from __future__ import annotations

import math
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path

import platformdirs

from kgdb import text_arguments
from kgdb.errors import UsageError
from kgdb.wording import short

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
    "unrestricted": "KGDB_UNRESTRICTED",
    "encoder": "KGDB_ENCODER",
    "expert": "KGDB_EXPERT",
    "verifier": "KGDB_VERIFIER",
    "llm": "KGDB_LLM",
    "llm_timeout": "KGDB_LLM_TIMEOUT",
    "llm_context": "KGDB_LLM_CONTEXT",
    "llm_prices": "KGDB_LLM_PRICES",
    "llm_dtype": "KGDB_LLM_DTYPE",
    "cache": "KGDB_CACHE",
}

BY_ENCODER = "encoder"
"""The expert without a model of its own: it compares by the encoder."""

BY_RULES = "rules"
"""The verifier that was not trained: the checks of a claim decide by themselves."""

PLUGIN_MODES = ("auto", "required", "never")
DTYPES = ("float32", "bfloat16")

_ONE_OF = {"plugin": PLUGIN_MODES, "llm_dtype": DTYPES}
_LOGIN = re.compile(r"//[^/\s]*@")
_PROCEDURES = re.compile(r"[A-Za-z_][\w]*(\.[\w*]+)*")
_PORT = re.compile(r"[0-9]{1,5}")
_SWITCH = {"on": True, "true": True, "1": True, "off": False, "false": False, "0": False}


@dataclass(frozen=True, slots=True)
class Settings:
    """One resolved configuration.

    ``uri``: a server to use as it is; without one, the local server ``instance`` is used.
    ``plugin``: ``"auto"`` uses the server's kgdb plugin if it has one and plain Cypher otherwise,
    ``"required"`` refuses a server without it, ``"never"`` uses plain Cypher.
    ``home``: the folder of everything that kgdb stores: jars, instances, models.
    ``java``: a ``java`` executable, or a folder that holds ``bin/java``.
    ``artifact_mirror``: base URL of a Maven repository to download the server's jars from.
    ``heap``, ``page_cache``: sizes as Neo4j writes them (``512m``, ``4g``).
    ``bolt_port``: 0 takes the first free port from 7687 on.  ``http_port``: 0 keeps HTTP off.
    ``unrestricted``: procedures of your own plugins (``apoc.*``) that may use the internals of the
    local server.
    ``encoder``, ``llm``: model names as ``--encoder`` and ``--llm`` take them. ``expert``:
    ``"encoder"``, or the folder of one that ``kgdb lab train expert`` made. ``verifier``:
    ``"rules"``, or the folder of one that ``kgdb lab train verifier`` made.
    ``llm_timeout``: seconds for a request to a language model server, with all retries.
    ``llm_context``: the context length in tokens, if the server does not report it.
    ``llm_prices``: the prices of a million tokens of prompts and of replies.
    ``llm_dtype``: ``"float32"`` or ``"bfloat16"``, the number type of a language model in this
    process.
    ``cache``: whether kgdb stores replies of language models on disk and reuses them.
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
    unrestricted: tuple[str, ...] = ()
    encoder: str = "minilm"
    expert: str = BY_ENCODER
    verifier: str = BY_RULES
    llm: str = "smollm2"
    llm_timeout: float = 120.0
    llm_context: int | None = None
    llm_prices: tuple[float, float] | None = None
    llm_dtype: str | None = None
    cache: bool = True


def load_settings(environ: Mapping[str, str] | None = None, /, **arguments: object) -> Settings:
    """Resolve the settings.

    ``arguments`` are fields of :class:`Settings`; ``None`` counts as unset. Raises
    :class:`UsageError` for an unknown key or an invalid value, and names its origin.
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
    """The path of the TOML configuration file; ``KGDB_CONFIG`` names another file."""
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
            raise UsageError(f"{origin} is {short(value)}; expected a path.")
        if "\x00" in str(value):
            raise UsageError(f"{origin} is {short(str(value))}; no path has a NUL character.")
        try:
            return Path(value).expanduser().absolute()
        except RuntimeError as error:
            raise UsageError(f"{origin} is {short(value)}; there is no such user.") from error
    if key in ("bolt_port", "http_port"):
        text = str(value)
        if isinstance(value, bool) or not _PORT.fullmatch(text) or int(text) > 65535:
            raise UsageError(f"{origin} is {short(text)}; expected a port number from 0 to 65535.")
        return int(text)
    if key in _PARSERS:
        return _PARSERS[key](value, origin)
    if key in _ONE_OF and value not in _ONE_OF[key]:
        raise UsageError(f"{origin} is {short(value)}; expected {', '.join(_ONE_OF[key])}.")
    # A server may have the empty password.
    return text_arguments.text(origin, value, "a text", empty=key == "password")


def _seconds(value: object, origin: str) -> float:
    number = _number(value)
    if number is None or number <= 0:
        raise UsageError(f"{origin} is {short(value)}; expected a number of seconds.")
    return number


def _tokens(value: object, origin: str) -> int:
    number = _number(value)
    if number is None or number < 1 or number != int(number):
        raise UsageError(f"{origin} is {short(value)}; expected a number of tokens.")
    return int(number)


def _prices(value: object, origin: str) -> tuple[float, float]:
    """The prices from ``"0.15,0.6"`` or from a list of two numbers."""
    parts = value.split(",") if isinstance(value, str) else value
    numbers = [_number(part) for part in parts] if isinstance(parts, list | tuple) else []
    if len(numbers) == 2 and (first := numbers[0]) is not None and (last := numbers[1]) is not None:
        return first, last
    raise UsageError(
        f"{origin} is {short(value)}; expected the prices of a million tokens in and out, as "
        "0.15,0.6."
    )


def _procedures(value: object, origin: str) -> tuple[str, ...]:
    """The names from ``"apoc.*,my.procedure"`` or from a list."""
    parts = value.split(",") if isinstance(value, str) else value
    names = [str(part).strip() for part in parts] if isinstance(parts, list | tuple) else [""]
    if not all(_PROCEDURES.fullmatch(name) for name in names):
        raise UsageError(
            f"{origin} is {short(value)}; expected names of procedures, as apoc.* or my.procedure."
        )
    return tuple(names)


def _switch(value: object, origin: str) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in _SWITCH:
        return _SWITCH[value.lower()]
    raise UsageError(f"{origin} is {short(value)}; expected on or off.")


def _number(value: object) -> float | None:
    """The value as a number, ``None`` if it is negative or not a number."""
    try:
        number = float(value) if isinstance(value, str | int | float) else math.nan
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) and number >= 0 and not isinstance(value, bool) else None


_PARSERS: Mapping[str, Callable[[object, str], object]] = {
    "llm_timeout": _seconds,
    "llm_context": _tokens,
    "llm_prices": _prices,
    "cache": _switch,
    "unrestricted": _procedures,
}
"""The parsers of settings that are not texts."""


def without_login(text: str) -> str:
    """The text without the user names and passwords in its addresses."""
    return _LOGIN.sub("//…@", text)
