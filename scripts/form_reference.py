"""The page reference/forms.md: every operator of logical forms, with an example and its result.

The results lie in form_results.json, so that the page is made without a server. ``--run`` runs the
examples on the connected server, which then holds the graphs demo and cast, and writes them anew.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from click.testing import CliRunner

import kgdb
from kgdb import loading
from kgdb.cli.main import cli
from kgdb.graph.forms import form_to_dict
from kgdb.graph.forms.form_json import form_schema, json_name
from kgdb.graph.forms.operators import (
    ENTITY_FORMS,
    SCALAR_FORMS,
    VALUE_FORMS,
    Aggregate,
    And,
    Compare,
    Condition,
    Count,
    Except,
    Filter,
    FilterByCount,
    FilterLabel,
    Find,
    FindAll,
    Form,
    GroupBy,
    Or,
    Property,
    Qualifier,
    Relate,
    Select,
    SelectByCount,
    SelectByQualifier,
    Verify,
)
from kgdb.graph.schema import Schema

RESULTS = Path(__file__).with_name("form_results.json")

CAST = """CREATE (marta:Cast:Actor {key: 1, name: 'Marta Lind', born: 1961}),
       (otto:Cast:Actor:Director {key: 2, name: 'Otto Brandvik', born: 1970}),
       (wheat:Cast:Film {key: 3, name: 'Winter Wheat', released: 2004}),
       (marta)-[:ACTED_IN {role: 'the baker'}]->(wheat),
       (otto)-[:ACTED_IN {role: 'himself'}]->(wheat),
       (otto)-[:DIRECTED]->(wheat),
       (ferry:Cast:Film {key: 4, name: 'The Last Ferry', released: 2011}),
       (marta)-[:REVIEWED {rating: 71}]->(ferry),
       (marta)-[:REVIEWED {rating: 84}]->(wheat)"""

_ADA = Find("Ada Weir")
_FILMS = Relate(_ADA, "starred_actors", "in")
_ENGINE = Find("The Tuesday Engine")
_CAST = Relate(Find("Winter Wheat"), "ACTED_IN", "in")

EXAMPLES: Mapping[type[Any], tuple[str, Form]] = {
    Find: ("demo", _ADA),
    FindAll: ("cast", FindAll("Actor")),
    Relate: ("cast", Relate(Find("Marta Lind"), "ACTED_IN", "out",
                            (Condition("role", "contains", "baker"),))),
    FilterLabel: ("cast", FilterLabel(_CAST, "Director")),
    Filter: ("demo", Filter(_FILMS, "release_year", ">", 2000)),
    FilterByCount: ("demo", FilterByCount(_FILMS, "written_by", ">=", 2)),
    And: ("demo", And(_FILMS, Relate(Find("Drama"), "has_genre", "in"))),
    Or: ("demo", Or(_ENGINE, Relate(_ENGINE, "written_by"))),
    Except: ("demo", Except(_FILMS, Relate(Find("Drama"), "has_genre", "in"))),
    Select: ("demo", Select(_FILMS, "release_year", "max", 2)),
    SelectByCount: ("demo", SelectByCount(Relate(FindAll(), "directed_by"), "directed_by",
                                          "max", "in")),
    SelectByQualifier: ("cast", SelectByQualifier(FindAll("Film"), "REVIEWED", "rating", "max",
                                                  "in")),
    Compare: ("demo", Compare(_ENGINE, Find("Salt in the Clock"), "release_year", "min")),
    Property: ("demo", Property(_FILMS, "release_year")),
    Qualifier: ("cast", Qualifier(Find("Winter Wheat"), "ACTED_IN", "role", "in")),
    GroupBy: ("demo", GroupBy(_FILMS, "has_genre")),
    Count: ("demo", Count(_FILMS)),
    Aggregate: ("demo", Aggregate(Property(_FILMS, "release_year"), "min")),
    Verify: ("demo", Verify(Property(_ENGINE, "release_year"), "<", 2000)),
}  # fmt: skip

HEAD = f"""# Logical forms

A logical form is what a question asks, as a small tree of operators: those of KoPL (Cao et al.,
*KQA Pro*, ACL 2022) over the entities, relations and properties of a graph. `kgdb query` runs a
form that you write, and [Ask with a logical form](../how-to/forms.md) shows how. A form runs as
one read in the database; names are quoted and values are parameters, so that a form cannot do
anything else.

- Operators of the first group give a **set of entities**, each with the facts that prove it.
- A **property** is a property of the nodes, or a relation: its values are then the names of the
  entities or literals that it leads to. A form names both in the same way, and `kgdb schema
  GRAPH` lists them.
- **Values compare by their type**, whichever way they are written: `"7"` and `7` are the same
  number. If a property has several values, one of them must fulfil the condition. Texts compare
  without regard to case.
- **A date** is a text of any precision: `"1999"`, `"1999-03"`, `"1999-03-31"`; a year may be a
  number. A value is equal to the date of a form if its first day lies in the period that the form
  names: `1999-03-31` is `1999`.
- **Hops, filters and counts that follow each other** are one pattern and use no relationship
  twice. Other operators start a new pattern.
- **Totals are exact**, also where `--limit` cuts what is shown. A query ends after
  `--timeout-ms`.
- A form has at most 40 operators, and at most 4 superlatives (Select, SelectByCount,
  SelectByQualifier, Compare) inside each other.

Each example below shows the form and what `kgdb query GRAPH - --limit 3` prints for it. The graph
is `demo` (`kgdb load demo`), or `cast`, which is this graph, adopted in place:

```cypher
{CAST}
```
"""
GROUPS = (
    ("Sets of entities", ENTITY_FORMS),
    ("Lists of values", VALUE_FORMS),
    ("Single values", SCALAR_FORMS),
)


def page() -> str:
    """The page with all operators."""
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    defined = form_schema(Schema({}, {}, {}))["$defs"]
    parts = [HEAD]
    for title, kinds in GROUPS:
        parts.append(f"\n## {title}\n")
        for kind in kinds:
            graph, form = EXAMPLES[kind]
            written = json.dumps(form_to_dict(form), ensure_ascii=False, indent=2)
            parts.append(
                f"\n### {kind.__name__}\n\n{_prose(kind)}\n\n{_table(kind, defined)}\n"
                f"```json\n{written}\n```\n\n```text\n$ kgdb query {graph} - --limit 3\n"
                f"{results[kind.__name__]}\n```\n"
            )
    parts.append(f"\n## Condition\n\n{_prose(Condition)}\n\n{_table(Condition, defined)}")
    return "".join(parts)


def _prose(kind: type[Any]) -> str:
    lines = (line.strip() for line in (kind.__doc__ or "").strip().splitlines())
    return "\n".join(lines).replace("``", "`")


def _table(kind: type[Any], defined: Mapping[str, Any]) -> str:
    schema = defined[kind.__name__]
    defaults = {json_name(each): each.default for each in fields(kind)}
    rows = ["| field | takes | default |\n|---|---|---|\n"]
    for name, takes in schema["properties"].items():
        if name == "op":
            continue
        default = "" if name in schema["required"] else json.dumps(defaults[name])
        shown = f"`{default}`" if default not in ("", "null", "[]") else default and "none"
        rows.append(f"| `{name}` | {_takes(takes)} | {shown} |\n")
    return "".join(rows)


def _takes(schema: Mapping[str, Any]) -> str:
    """What a field takes, in words."""
    if "enum" in schema:
        return ", ".join(f"`{choice}`" for choice in schema["enum"])
    if "items" in schema:
        of = _takes(schema["items"])
        return f"a list of {'texts' if of == 'a text' else of}"
    named = [
        one["$ref"].rpartition("/")[2] for one in schema.get("anyOf", [schema]) if "$ref" in one
    ]
    whole = {kind.__name__ for kind in ENTITY_FORMS}
    if whole <= set(named):
        return ", ".join(["a set of entities", *(f"`{n}`" for n in named if n not in whole)])
    if named == ["Condition"]:
        return "[conditions](#condition)"
    if named:
        return ", ".join(f"`{name}`" for name in named)
    types = [one["type"] for one in schema.get("anyOf", [schema])]
    return _WORDS.get(types[0], types[0]) if len(types) == 1 else "a boolean, a number or a text"


_WORDS = {"string": "a text", "integer": "a whole number", "boolean": "`true` or `false`"}


def run_examples() -> dict[str, str]:
    """What ``kgdb query`` prints for each example, by the operator's name."""
    results = {}
    for kind, (graph, form) in EXAMPLES.items():
        written = json.dumps(form_to_dict(form))
        done = CliRunner().invoke(cli, ["query", graph, "-", "--limit", "3"], input=written)
        assert done.exit_code == 0, (kind, done.output)
        results[kind.__name__] = "\n".join(line.rstrip() for line in done.stdout.splitlines())
    return results


def create_cast(db: kgdb.Connection) -> None:
    """The graph cast, adopted in place."""
    db.driver.execute_query(CAST)
    db.adopt("cast", "Cast", id_property="key")


def remove_cast(db: kgdb.Connection) -> None:
    """What :func:`create_cast` made."""
    for info in db.graphs():
        if info.name == "cast":
            loading.unload(db, info)
    db.driver.execute_query("MATCH (n:Cast) DETACH DELETE n")


def _run() -> None:
    with kgdb.connect() as db:
        create_cast(db)
        try:
            results = run_examples()
        finally:
            remove_cast(db)
    written = json.dumps(results, ensure_ascii=False, indent=2)
    RESULTS.write_text(written + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--run"]:
        raise SystemExit("python scripts/form_reference.py --run")
    _run()
