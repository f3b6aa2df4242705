"""What the pages of the procedures show of the code: descriptions, signatures, keys and columns.

The plugin's own catalogue lies in procedures.json, so that the site is made without a server.
``--run`` asks the connected server and writes it anew.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import kgdb

CATALOGUE = Path(__file__).with_name("procedures.json")

_SIGNATURES = """SHOW PROCEDURES YIELD name, description, signature, argumentDescription,
returnDescription WHERE name STARTS WITH 'kgdb.'
RETURN name, description, signature, argumentDescription AS arguments, returnDescription AS columns
"""
_LINE = 100
_DEFAULT = re.compile(r"DefaultParameterValue\{value=(.*), type=(.*)\}", re.DOTALL)

Catalogue = dict[str, dict[str, Any]]


def asked(db: kgdb.Connection) -> Catalogue:
    """The catalogue of the connected server, in the order of ``CALL kgdb.help()``."""
    signatures = {row["name"]: row for row in _rows(db, _SIGNATURES)}
    return {
        name: {
            "description": signatures[name]["description"],
            "signature": signatures[name]["signature"],
            "arguments": [
                [each["name"], each["type"], _default(each.get("default")), each["description"]]
                for each in signatures[name]["arguments"]
            ],
            "keys": [
                [row["key"], row["type"], row["fallback"], row["description"]]
                for row in _rows(db, "CALL kgdb.help($name)", name=name)
            ],
            "columns": [
                [each["name"], each["type"], each["description"]]
                for each in signatures[name]["columns"]
            ],
        }
        for name in (row["procedure"] for row in _rows(db, "CALL kgdb.help()"))
    }


def _rows(db: kgdb.Connection, statement: str, **parameters: str) -> Iterable[Any]:
    return db.driver.execute_query(statement, parameters).records


def _default(shown: str | None) -> str | None:
    """The default as Cypher writes it, from Neo4j's own words for it."""
    if shown is None:
        return None
    found = _DEFAULT.fullmatch(shown)
    assert found is not None, shown
    return f"'{found[1]}'" if found[2] == "STRING" else found[1]


def catalogue() -> Catalogue:
    """The catalogue as the file has it."""
    read: Catalogue = json.loads(CATALOGUE.read_text(encoding="utf-8"))
    return read


def index() -> str:
    """A table of all procedures."""
    return _table(
        ["procedure", "does"],
        [
            [f"[`{name}`]({name}.md)", _first_sentence(each["description"])]
            for name, each in catalogue().items()
        ],
    )


def reference(name: str) -> str:
    """What a procedure does, its signature, and tables of its arguments, keys and columns."""
    found = catalogue()[name]
    parts = [found["description"], f"```\n{_wrapped(found['signature'])}\n```"]
    for head, rows in (("argument", found["arguments"]), ("key of config", found["keys"])):
        if rows:
            cells = [
                [f"`{each}`", f"`{type_}`", "–" if default is None else f"`{default}`", meaning]
                for each, type_, default, meaning in rows
            ]
            parts.append(_table([head, "type", "default", "meaning"], cells))
    cells = [[f"`{each}`", f"`{type_}`", meaning] for each, type_, meaning in found["columns"]]
    parts.append(_table(["column", "type", "meaning"], cells))
    return "\n\n".join(parts)


def _first_sentence(text: str) -> str:
    sentence, stop, _ = text.partition(". ")
    beginning, colon, _ = (sentence + stop.strip()).partition(": ")
    return beginning + "." if colon else beginning


def _wrapped(signature: str) -> str:
    lines = [""]
    for part in re.split(r"(?<=, )|(?<=\n)", signature.replace(") :: (", ") ::\n(")):
        if lines[-1].endswith("\n") or len(lines[-1]) + len(part.rstrip()) > _LINE:
            lines.append("    ")
        lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    escaped = ([cell.replace("|", "\\|") for cell in cells] for cells in rows)
    lines = [head, ["---"] * len(head), *escaped]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def write() -> None:
    """Write the file anew, with a line for each argument, key and column."""
    with kgdb.connect() as db:
        entries = [
            f"{_json(name)}: {{\n"
            + ",\n".join(f" {_json(k)}: {_lines(v)}" for k, v in each.items())
            for name, each in asked(db).items()
        ]
    CATALOGUE.write_text("{\n" + "},\n".join(entries) + "}\n}\n", encoding="utf-8")


def _lines(value: str | Sequence[Any]) -> str:
    if isinstance(value, str) or not value:
        return _json(value)
    return "[\n  " + ",\n  ".join(_json(row) for row in value) + "]"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    if sys.argv[1:] != ["--run"]:
        raise SystemExit("python scripts/procedure_reference.py --run")
    write()
