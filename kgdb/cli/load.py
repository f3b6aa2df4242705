"""``kgdb load``, ``kgdb unload`` and ``kgdb graphs``."""

from __future__ import annotations

import time
from pathlib import Path

import click
from rich import box
from rich.markup import escape
from rich.table import Table

from kgdb.cli.console import err, out, print_json
from kgdb.cli.options import connected, database_options, json_option
from kgdb.errors import GraphNotFound


@click.command("load", epilog="Example: kgdb load demo")
@click.argument("loader")
@click.argument("source", required=False, type=click.Path(path_type=Path))
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
@database_options
@json_option
def load_command(
    loader: str,
    source: Path | None,
    replace: bool,
    max_errors: int,
    no_pagerank: bool,
    embed: bool,
    as_json: bool,
    **database: str | None,
) -> None:
    """Load a knowledge graph.

    LOADER is `demo`, `metaqa` or a loader file of your own (mine.toml); SOURCE is the file it
    reads. The same source again does nothing.
    """
    from kgdb import loading

    started = time.perf_counter()
    spec = loading.read_spec(loader)
    with loading.prepare(spec, source, max_errors=max_errors) as prepared:
        for line in prepared.malformed:
            err.print(f"skipped line {line.line}: {line.problem}: {line.text!r}", markup=False)
        for relation in prepared.unused_texts():
            err.print(f"The loader has texts for {relation!r}, which the source has not.")
        with connected(**database) as connection:
            result = loading.load(
                prepared,
                connection,
                replace=replace,
                pagerank=not no_pagerank,
                report=connection.report,
            )
            if embed:
                encoder = connection.encoder()
                loading.embed_names(connection, result.graph, encoder, report=connection.report)
        counts = prepared.counts
    seconds = time.perf_counter() - started
    if as_json:
        print_json(
            {
                "graph": result.graph.name,
                "loaded": result.loaded,
                "records": counts.records,
                "triples": counts.triples,
                "duplicates": counts.duplicates,
                "skipped": counts.skipped,
                "entities": counts.entities,
                "relations": counts.relations,
                "pagerank": result.graph.pagerank,
                "seconds": round(seconds, 3),
            }
        )
    elif result.loaded:
        out.print(
            f"Loaded {result.graph.name}: {counts.triples:,} triples, {counts.entities:,} "
            f"entities, {counts.relations:,} relations in {seconds:.1f} s "
            f"({counts.records:,} records read = {counts.triples:,} loaded "
            f"+ {counts.duplicates:,} duplicates + {counts.skipped:,} skipped)."
        )
    else:
        out.print(f"{result.graph.name} is loaded already from the same source; nothing to do.")


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
                f"The graph {graph!r} is not loaded. Loaded: {', '.join(loaded) or 'none'}."
            )
        loading.unload(connection, loaded[graph], report=connection.report)
    out.print(f"Removed {graph}.")


@click.command("graphs", epilog="Example: kgdb graphs --json")
@database_options
@json_option
def graphs_command(as_json: bool, **database: str | None) -> None:
    """List what is loaded."""
    with connected(**database) as connection:
        graphs = connection.graphs()
    if as_json:
        from dataclasses import asdict

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
            graph.name,
            graph.state,
            f"{graph.triples:,}",
            f"{graph.entities:,}",
            f"{graph.relations:,}",
            (graph.loaded_at or "-")[:10],
            escape(graph.title),
        )
    out.print(table)
