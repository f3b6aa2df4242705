"""``kgdb load``, ``kgdb unload`` and ``kgdb graphs``."""

from __future__ import annotations

import shlex
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click
from rich import box
from rich.table import Table
from rich.text import Text

from kgdb.api import load_graph
from kgdb.cli.assignments import assignment
from kgdb.cli.console import err, out, print_json, reporting
from kgdb.cli.options import connected, database_options, json_option
from kgdb.cli.preview import show_preview
from kgdb.cli.types import NamedPath
from kgdb.errors import GraphNotFound, LoadError, UsageError
from kgdb.settings import load_settings
from kgdb.wording import counted, listed, one_line, short

if TYPE_CHECKING:
    from kgdb.graph import GraphInfo
    from kgdb.loading import PreparedSource


@click.command("load", epilog="Example: kgdb load demo")
@click.argument("loader")
@click.argument("source", required=False, type=NamedPath(path_type=Path))
@click.option("--as", "name", metavar="NAME", help="What the graph is called, not as its loader.")
@click.option(
    "--set",
    "options",
    multiple=True,
    metavar="OPTION=VALUE",
    help="An option of the loader; may be given more than once.",
)
@click.option(
    "--dry-run", is_flag=True, help="Only show what the load would make; needs no database."
)
@click.option(
    "--init",
    "draft_of",
    metavar="FILE",
    type=NamedPath(path_type=Path),
    help="Write a first loader file, LOADER.toml, for FILE by looking at it, and stop.",
)
@click.option("--replace", is_flag=True, help="Replace a graph of this name that differs.")
@click.option(
    "--max-errors",
    type=click.IntRange(min=0),
    default=100,
    show_default=True,
    help="Malformed lines that may be skipped.",
)
@click.option("--no-pagerank", is_flag=True, help="Do not rank the entities.")
@click.option(
    "--embed",
    is_flag=True,
    help="Also embed the names, so that entities are linked by meaning too.",
)
@click.option(
    "--mode",
    type=click.Choice(["auto", "offline", "online"]),
    default="auto",
    show_default=True,
    help="offline: import into an empty local server; online: over Bolt, into any.",
)
@click.option(
    "--memory",
    metavar="SIZE",
    help="What reading the source may take before it goes to the disk; from 400MB on any text can "
    "be read. [default: 3GB]",
)
@click.option(
    "--temp-folder",
    type=NamedPath(path_type=Path, file_okay=False, exists=True),
    help="Where files are kept while loading. [default: the system's temporary folder]",
)
@database_options
@json_option
def load_command(
    loader: str,
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
    as_json: bool,
    **database: str | None,
) -> None:
    """Load a knowledge graph.

    LOADER is one that comes with kgdb (`demo`, `metaqa`, `freebase`, `dbpedia`, `csv`, …:
    `kgdb loaders` lists them) or a loader file of your own (mine.toml); SOURCE is the file or
    folder it reads. The same source again does nothing; a load that was stopped is gone on with.
    """
    from kgdb import loading

    if draft_of is not None:
        if source is not None:
            raise UsageError(
                "A source is given beside --init.", hint="kgdb load mine --init my-file.csv"
            )
        beside = {"--as": name, "--set": options, "--dry-run": dry_run, "--replace": replace}
        if given := [option for option, value in beside.items() if value]:
            raise UsageError(
                f"{given[0]} says nothing beside --init, which only writes a loader file.",
                hint=f"First kgdb load {loader} --init {draft_of}, then load by that file.",
            )
        _init(loader, draft_of, as_json=as_json)
        return
    started = time.perf_counter()
    spec = loading.read_spec(loader)
    if name is not None:
        spec = spec.renamed(name)
    settings = load_settings(**database)
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
        ) as prepared,
    ):
        if dry_run:
            found = loading.preview(prepared, max_errors=max_errors)
            show_preview(found, as_json=as_json)
            if found.refused:
                raise LoadError(
                    f"A load would refuse {found.source}: "
                    f"{counted(found.counts.skipped, 'record is', 'records are')} skipped, and at "
                    f"most {max_errors:,} may be.",
                    hint="Mend the source, or allow more with --max-errors.",
                )
            return
        for skipped in (*prepared.malformed, *prepared.incomplete):
            err.print(one_line(f"skipped {skipped}"), markup=False)
        for relation in prepared.unused_texts():
            err.print(
                f"The loader has texts for {short(relation)}, which the source has not.",
                markup=False,
            )
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
        out.print(f"{result.graph.name} is loaded already from the same source; nothing to do.")


def _init(loader: str, source: Path, *, as_json: bool) -> None:
    from kgdb import loading

    path = loading.write_draft(loader, source)
    named = path if path.is_absolute() else f"./{path}"
    command = shlex.join(["kgdb", "load", str(named), str(source)])
    if as_json:
        print_json({"loader": str(path), "source": str(source)})
        return
    out.print(f"Wrote {path}. Read it, change what is wrong, and see what it makes:", markup=False)
    out.print(one_line(f"  {command} --dry-run"), markup=False)
    nodes = source.with_name(source.name.replace("edges", "nodes"))
    if nodes != source and nodes.is_file():
        out.print(
            one_line(
                f"It reads that file alone. {nodes.name} lies beside it: kgdb load csv "
                f"{source.parent} reads both (as do jsonl and parquet)."
            ),
            markup=False,
        )


def _show(graph: GraphInfo, prepared: PreparedSource, seconds: float) -> None:
    counts = prepared.counts
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_header=False)
    table.add_column()
    table.add_column(justify="right")
    for what, number in (
        ("records read", counts.records),
        ("= triples loaded", counts.triples),
        ("+ duplicates", counts.duplicates),
        ("+ skipped", counts.skipped),
        *((f"+ {other.reason}", other.records) for other in prepared.other_records),
        ("entities", counts.entities),
        ("  of them mediators", counts.mediators),
        ("literals", counts.literals),
        ("relations", counts.relations),
    ):
        if number or not what.startswith((" ", "lit")):
            table.add_row(Text(one_line(what)), f"{number:,}")
    out.print(table)
    out.print(f"Loaded {graph.name} in {seconds:.1f} s.")


@click.command("unload", epilog="Example: kgdb unload demo")
@click.argument("graph")
@database_options
def unload_command(graph: str, **database: str | None) -> None:
    """Remove a loaded graph with its indexes."""
    from kgdb import loading

    with connected(**database) as connection:
        loaded = {info.name: info for info in connection.graphs()}
        if graph not in loaded:
            raise GraphNotFound(
                f"The graph {short(graph)} is not loaded. Loaded: {listed(loaded)}."
            )
        loading.unload(connection, loaded[graph], report=connection.report)
    out.print(one_line(f"Removed {graph}."), markup=False)


@click.command("graphs", epilog="Example: kgdb graphs --json")
@database_options
@json_option
def graphs_command(as_json: bool, **database: str | None) -> None:
    """List what is loaded."""
    with connected(**database) as connection:
        graphs = connection.graphs()
    if as_json:
        print_json([asdict(graph) for graph in graphs])
        return
    if not graphs:
        out.print("No graph is loaded. Try: kgdb load demo")
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
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
