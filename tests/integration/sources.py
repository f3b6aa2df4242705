"""Sources of graphs: lines of head, relation and tail whose entities are their names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import kgdb
from kgdb import loading, shipped_files
from kgdb.language import Encoder

Fact = tuple[str, str, str]

_LOADER = """
name = "{name}"
label = "{label}"
[source]
delimiter = "\\t"
columns = ["head", "relation", "tail"]
[tables]
triples = "SELECT * FROM source"
entities = "SELECT head AS id, head AS name FROM source UNION SELECT tail, tail FROM source"
"""


def demo_facts() -> set[Fact]:
    """The demo graph's facts, read from its source without kgdb."""
    lines = (shipped_files.loaders() / "demo.txt").read_text(encoding="utf-8").splitlines()
    return {tuple(line.split("|")) for line in lines}  # type: ignore[misc]


def write_loader(folder: Path, name: str, label: str | None = None) -> Path:
    """A loader file for such sources, in the folder."""
    path = folder / f"{name}.toml"
    path.write_text(_LOADER.format(name=name, label=label or name.capitalize()), encoding="utf-8")
    return path


def write_facts(path: Path, facts: Iterable[Fact]) -> Path:
    path.write_text("".join("\t".join(fact) + "\n" for fact in facts), encoding="utf-8")
    return path


def load_facts(
    db: kgdb.Connection,
    folder: Path,
    name: str,
    facts: Iterable[Fact],
    encoder: Callable[[], Encoder] | None = None,
) -> kgdb.KnowledgeGraph:
    """The graph of that name, loaded from these facts."""
    spec = loading.read_spec(str(write_loader(folder, name)))
    with loading.prepare(spec, write_facts(folder / f"{name}.tsv", facts)) as prepared:
        loading.load(prepared, db, encoder=encoder)
    return db.graph(name)
