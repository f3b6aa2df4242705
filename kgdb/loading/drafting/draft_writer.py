"""Writes a first loader file for an unknown source, from a sample of its beginning.

The file can be loaded at once, though perhaps not as its user wants: a comment marks every guess.
"""

from __future__ import annotations

from pathlib import Path

from kgdb.errors import UsageError
from kgdb.loading.drafting.draft import Draft, comment, toml
from kgdb.loading.drafting.file_sampling import refuse_known_folder, take_sample
from kgdb.loading.drafting.folder_draft import folder_draft, has_tables
from kgdb.loading.drafting.rdf_draft import rdf_draft
from kgdb.loading.drafting.sample import Sample
from kgdb.loading.drafting.table_draft import table_draft
from kgdb.loading.loaders.loader_spec import label_of, require_graph_name
from kgdb.loading.reading.archives import archive_kind, unpacked_archive
from kgdb.text_arguments import text
from kgdb.wording import counted

# The columns of APOC's CSV exports from Neo4j, with nodes and relationships in one file.
_APOC_CSV = {"_id", "_labels", "_start", "_end", "_type"}


def write_draft(name: str, source: Path) -> Path:
    """Write ``name.toml`` for the source and return its path.

    Raises :class:`UsageError` if that file exists, if no loader can read the format of the source,
    or if another loader is made for it.
    """
    text("name", name, "a name for the loader")
    path = Path(name if name.endswith(".toml") else f"{name}.toml")
    content = draft(path.stem, source)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(content)
    except FileNotFoundError:
        raise UsageError(
            f"There is no folder {path.parent} for {path.name}.", hint="Create it first."
        ) from None
    except FileExistsError:
        raise UsageError(
            f"{path} already exists.", hint="Choose another name, or delete it first."
        ) from None
    return path


def draft(name: str, source: Path) -> str:
    """The text of a first loader file for the source."""
    require_graph_name(name, "kgdb load mine --init FILE")
    if source.is_dir():
        refuse_known_folder(source)
        return _text(
            name,
            source,
            f"A first loader for the folder {source.absolute().name}.",
            folder_draft(source),
        )
    if archive_kind(source):
        with unpacked_archive(source) as unpacked:
            if unpacked is not None and unpacked.is_dir() and has_tables(unpacked):
                title = f"A first loader for the tables in {source.name}."
                return _text(name, source, title, folder_draft(unpacked))
    sample = take_sample(source)
    _refuse_apoc(sample, source)
    if sample.format in {"ntriples", "turtle"}:
        made = rdf_draft(sample, label_of(name))
    else:
        made = table_draft(sample, source)
    rows = counted(sample.rows, "row")
    title = f"A first loader for {source.name}, drafted from its first {rows}."
    return _text(name, source, title, made)


def _refuse_apoc(sample: Sample, source: Path) -> None:
    columns = {column.name for column in sample.columns}
    if columns >= _APOC_CSV:
        raise UsageError(
            f"{source} is an export of APOC with nodes and relationships in one table.",
            hint="Export it as JSON instead, CALL apoc.export.json.all('graph.json', {}), then: "
            "kgdb load apoc graph.json",
        )


def _text(name: str, source: Path, title: str, made: Draft) -> str:
    given = "FOLDER" if source.is_dir() else "FILE"
    lines = [
        *comment(title),
        f"# To preview a load:  kgdb load ./{name}.toml {given} --dry-run",
        "# docs/reference/loaders.md explains each key, and how to word relations.",
        *(line for note in made.notes for line in comment(note)),
        f"name = {toml(name)}",
        f"label = {toml(label_of(name))}",
        f"title = {toml(name)}",
        'licence = "unknown"',
        "",
        *([] if made.sources else ["[source]", *made.source, ""]),
    ]
    for table, (file, section) in made.sources.items():
        lines += [f"[sources.{table}]", f"file = {toml(file)}", *section, ""]
    if made.views:
        lines += ["[views]", *(f"{key} = {toml(sql)}" for key, sql in made.views.items()), ""]
    lines += ["[tables]", *(f"{key} = {toml(sql)}" for key, sql in made.tables.items())]
    return "\n".join(lines) + "\n"
