"""``kgdb load`` and ``kgdb graphs``."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click
from rich.text import Text

from kgdb.api import load_graph
from kgdb.cli.connection_options import settings_of
from kgdb.cli.console import err, out, plain_table, print_json, reporting
from kgdb.cli.listings import show_loaders
from kgdb.cli.load_preview import show_preview
from kgdb.cli.parameter_types import NamedPath, assignment
from kgdb.cli.shared_options import connected, json_option
from kgdb.errors import LoadError, UsageError
from kgdb.wording import counted, one_line, short

if TYPE_CHECKING:
    from kgdb.graph import GraphInfo
    from kgdb.loading import PreparedSource


@click.command("load", epilog="Example: kgdb load demo")
@click.argument("loader", required=False)
@click.argument("source", required=False, type=NamedPath(path_type=Path))
@click.option(
    "--as", "name", metavar="NAME", help="The name of the graph, instead of the loader's."
)
@click.option(
    "--set",
    "options",
    multiple=True,
    metavar="OPTION=VALUE",
    help="Set an option of the loader; repeatable.",
)
@click.option("--dry-run", is_flag=True, help="Preview the load without a database.")
@click.option(
    "--init",
    "draft_of",
    metavar="FILE",
    type=NamedPath(path_type=Path),
    help="Draft a loader file, LOADER.toml, from a sample of FILE, and stop. Without LOADER, it is "
    "named after FILE.",
)
@click.option("--replace", is_flag=True, help="Replace another graph of this name.")
@click.option(
    "--max-errors",
    type=click.IntRange(min=0),
    default=100,
    show_default=True,
    help="Malformed records that the load may skip.",
)
@click.option("--no-pagerank", is_flag=True, help="Do not compute the PageRank of entities.")
@click.option(
    "--embed",
    is_flag=True,
    help="Embed the names too, to link entities by meaning.",
)
@click.option(
    "--mode",
    type=click.Choice(["auto", "offline", "online"]),
    default="auto",
    show_default=True,
    help="offline: import into an empty local server; online: write over Bolt to any server.",
)
@click.option(
    "--memory",
    metavar="SIZE",
    help="DuckDB's memory limit, beyond which it spills to the disk; 400MB are enough for any text "
    "file. [default: 3GB]",
)
@click.option(
    "--temp-folder",
    type=NamedPath(path_type=Path, file_okay=False, exists=True),
    help="The folder for temporary files. [default: the system's temporary folder]",
)
@click.option(
    "--engine",
    type=click.Choice(["duckdb", "spark"]),
    default="duckdb",
    show_default=True,
    help="What runs the loader's SQL: DuckDB, or Apache Spark for a dump that does not fit.",
)
@click.option("--master", metavar="URL", help="Spark's cluster. [default: this machine]")
@click.option(
    "--output",
    metavar="FOLDER",
    type=NamedPath(path_type=Path, file_okay=False),
    help="Write the files for neo4j-admin database import to FOLDER, and load nothing.",
)
@click.option(
    "--list",
    "lists",
    is_flag=True,
    help="List the loaders, or describe LOADER: its files, and its options for --set.",
)
@json_option
def load_command(
    loader: str | None,
    source: Path | None,
    name: str | None,
    options: tuple[str, ...],
    dry_run: bool,
    draft_of: Path | None,
    replace: bool,
    max_errors: int,
    no_pagerank: bool,
    embed: bool,
    mode: Literal["auto", "offline", "online"],
    memory: str | None,
    temp_folder: Path | None,
    engine: Literal["duckdb", "spark"],
    master: str | None,
    output: Path | None,
    lists: bool,
    as_json: bool,
) -> None:
    """Load a knowledge graph.

    LOADER is a loader of kgdb (`demo`, `metaqa`, `freebase`, `dbpedia`, `csv`, …: --list
    shows all) or a loader file of your own (mine.toml). SOURCE is the file or folder to load. If
    the same source is already loaded, the command does nothing. Run the same command again to
    resume an interrupted load.
    """
    from kgdb import loading

    if lists:
        show_loaders([loader] if loader else [], as_json=as_json)
        return
    if draft_of is not None:
        of_a_load = {"--as": name, "--set": options, "--dry-run": dry_run, "--replace": replace}
        _check_draft(loader, source, draft_of, of_a_load)
        _init(loader or loading.graph_name(draft_of.absolute()), draft_of, as_json=as_json)
        return
    if loader is None:
        raise click.MissingParameter(param_hint="'LOADER'", param_type="argument")
    started = time.perf_counter()
    spec = loading.read_spec(loader)
    if name is not None:
        spec = spec.renamed(name)
    settings = settings_of()
    with (
        reporting() as report,
        loading.prepare(
            spec,
            source,
            max_errors=sys.maxsize if dry_run else max_errors,
            options=dict(map(assignment, options)),
            memory=memory,
            temp_folder=temp_folder,
            report=report,
            engine=loading.engine(engine, master),
        ) as prepared,
    ):
        if dry_run:
            shown = loading.preview(prepared, max_errors=max_errors)
            show_preview(shown, as_json=as_json)
            if shown.refused:
                raise LoadError(
                    f"A load would refuse {shown.source}: "
                    f"{counted(shown.counts.skipped, 'record is', 'records are')} skipped; "
                    f"the limit is {max_errors:,}.",
                    hint="Correct the source, or raise the limit with --max-errors.",
                )
            return
        for skipped in (*prepared.malformed, *prepared.incomplete):
            err.print(one_line(f"skipped {skipped}"), markup=False)
        for relation in prepared.unused_texts():
            err.print(
                f"The loader has texts for {short(relation)}, but the source has no such relation.",
                markup=False,
            )
        if output is not None:
            command = loading.write_import(prepared, output, report)
            out.print(f"Wrote {output}. Import it on each server:", markup=False)
            out.print(one_line(f"  {command}"), markup=False)
            return
        result = load_graph(
            prepared,
            settings,
            mode=mode,
            replace=replace,
            pagerank=not no_pagerank,
            embed=embed,
            report=report,
        )
    seconds = time.perf_counter() - started
    if as_json:
        print_json(
            {
                "graph": result.graph.name,
                "loaded": result.loaded,
                **asdict(prepared.counts),
                "other_records": [asdict(other) for other in prepared.other_records],
                "malformed": [
                    asdict(skipped) for skipped in (*prepared.malformed, *prepared.incomplete)
                ],
                "notes": prepared.notes,
                "pagerank": result.graph.pagerank,
                "seconds": round(seconds, 3),
            }
        )
    elif result.loaded:
        _show(result.graph, prepared, seconds)
    else:
        out.print(f"{result.graph.name} is already loaded from the same source; nothing to do.")


def _check_draft(
    loader: str | None, source: Path | None, draft_of: Path, of_a_load: Mapping[str, object]
) -> None:
    """Raises :class:`UsageError` for what only a load takes."""
    if source is not None:
        raise UsageError(
            "SOURCE and --init exclude each other.", hint="kgdb load mine --init my-file.csv"
        )
    if excluded := [option for option, value in of_a_load.items() if value]:
        raise UsageError(
            f"{excluded[0]} does not apply to --init, which only drafts a loader file.",
            hint=f"First kgdb load {loader or 'mine'} --init {draft_of}, then load with that file.",
        )


def _init(loader: str, source: Path, *, as_json: bool) -> None:
    from kgdb import loading

    path = loading.write_draft(loader, source)
    named = path if path.is_absolute() else f"./{path}"
    command = shlex.join(["kgdb", "load", str(named), str(source)])
    if as_json:
        print_json({"loader": str(path), "source": str(source)})
        return
    out.print(f"Wrote {path}. Check and correct it, then preview the load:", markup=False)
    out.print(one_line(f"  {command} --dry-run"), markup=False)
    nodes = source.parent / source.name.replace("edges", "nodes")
    if "edges" in source.name and nodes.is_file():
        out.print(
            one_line(
                f"This loader reads only that file. To load {nodes.name} too: "
                + shlex.join(["kgdb", "load", f"{path.stem}-all", "--init", str(source.parent)])
            ),
            markup=False,
        )


def _show(graph: GraphInfo, prepared: PreparedSource, seconds: float) -> None:
    counts = prepared.counts
    table = plain_table(show_header=False)
    table.add_column()
    table.add_column(justify="right")
    for label, number in (
        ("records read", counts.records),
        ("  + undirected facts, the other way", counts.mirrored),
        ("= triples loaded", counts.triples),
        ("+ duplicates", counts.duplicates),
        ("+ skipped", counts.skipped),
        *((f"+ {other.reason}", other.records) for other in prepared.other_records),
        ("entities", counts.entities),
        ("  of which mediators", counts.mediators),
        ("literals", counts.literals),
        ("relations", counts.relations),
    ):
        if number or not label.startswith((" ", "lit")):
            table.add_row(Text(one_line(label)), f"{number:,}")
    out.print(table)
    out.print(f"Loaded {graph.name} in {seconds:.1f} s.")


@click.command("graphs", epilog="Example: kgdb graphs --json")
@json_option
def graphs_command(as_json: bool) -> None:
    """List the loaded and adopted graphs."""
    with connected() as connection:
        graphs = connection.graphs()
    if as_json:
        print_json([asdict(graph) for graph in graphs])
        return
    if not graphs:
        out.print("No graph is loaded. Try: kgdb load demo")
        return
    table = plain_table()
    for column in ("graph", "state", "triples", "entities", "relations", "loaded"):
        table.add_column(column, no_wrap=True)
    table.add_column("title")
    for graph in graphs:
        table.add_row(
            Text(one_line(graph.name)),
            graph.state,
            f"{graph.triples:,}",
            f"{graph.entities:,}",
            f"{graph.relations:,}",
            Text(one_line((graph.loaded_at or "-")[:10])),
            Text(one_line(graph.title)),
        )
    out.print(table)
