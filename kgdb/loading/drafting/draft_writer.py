"""Writes a first loader file for an unknown source, by looking at its beginning.

The file loads at once, if not always as its reader would have it: where something was guessed, a
comment says so.
"""

from __future__ import annotations

from pathlib import Path

from kgdb.errors import UsageError
from kgdb.loading.drafting.draft import Draft, comment, toml
from kgdb.loading.drafting.file_sampling import look
from kgdb.loading.drafting.rdf_draft import rdf_draft
from kgdb.loading.drafting.sample import Sample
from kgdb.loading.drafting.table_draft import table_draft
from kgdb.loading.loaders.spec import NAME, label_of
from kgdb.text_arguments import text
from kgdb.wording import counted, short

# The columns of what APOC exports from Neo4j, nodes and relationships in one file.
_APOC_JSON = {"type", "id", "label", "start", "end"}
_APOC_CSV = {"_id", "_labels", "_start", "_end", "_type"}


def write_draft(name: str, source: Path) -> Path:
    """Write ``name.toml`` for the source, and return its path; it is never overwritten.

    Raises :class:`UsageError` when it is there, or the source is of no format that can be read, or
    of one that another loader is for.
    """
    text("name", name, "a name for the loader")
    path = Path(name if name.endswith(".toml") else f"{name}.toml")
    drafted = draft(path.stem, source)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(drafted)
    except FileNotFoundError:
        raise UsageError(
            f"There is no folder {path.parent} for {path.name}.", hint="Make it first."
        ) from None
    except FileExistsError:
        raise UsageError(
            f"{path} is there already.", hint="Choose another name, or remove it first."
        ) from None
    return path


def draft(name: str, source: Path) -> str:
    """The text of a first loader file for the source."""
    if not NAME.fullmatch(name):
        raise UsageError(
            f"{short(name)} cannot be the name of a graph.",
            hint="Expected lower-case letters, digits, - and _: kgdb load mine --init FILE",
        )
    sample = look(source)
    _refuse_apoc(sample, source)
    if sample.format in {"ntriples", "turtle"}:
        made = rdf_draft(sample, label_of(name))
    else:
        made = table_draft(sample)
    return _text(name, source, sample, made)


def _refuse_apoc(sample: Sample, source: Path) -> None:
    columns = {column.name for column in sample.columns}
    if sample.format == "jsonl" and columns >= _APOC_JSON:
        raise UsageError(
            f"{source} is what APOC exports from Neo4j, for which there is a loader.",
            hint=f"kgdb load apoc {source} --dry-run",
        )
    if columns >= _APOC_CSV:
        raise UsageError(
            f"{source} has nodes and relationships in one table, as APOC exports them from Neo4j.",
            hint="Export it as JSON instead, CALL apoc.export.json.all('graph.json', {}), for "
            "which there is a loader: kgdb load apoc graph.json",
        )


def _text(name: str, source: Path, sample: Sample, made: Draft) -> str:
    lines = [
        *comment(
            f"A first loader for {source.name}, made by looking at its first "
            f"{counted(sample.rows, 'row')}."
        ),
        f"# See what it makes:  kgdb load ./{name}.toml FILE --dry-run",
        "# What each key means, and how to say how relations read: docs/loaders.md",
        *(line for note in made.notes for line in comment(note)),
        f"name = {toml(name)}",
        f"label = {toml(label_of(name))}",
        f"title = {toml(name)}",
        'licence = "unknown"',
        "",
        "[source]",
        *made.source,
        "",
    ]
    if made.views:
        lines += ["[views]", *(f"{key} = {toml(sql)}" for key, sql in made.views.items()), ""]
    lines += ["[tables]", *(f"{key} = {toml(sql)}" for key, sql in made.tables.items())]
    return "\n".join(lines) + "\n"
