"""``kgdb adopt``."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kgdb.cli.connection_options import settings_of
from kgdb.cli.console import err, out, print_json, reporting
from kgdb.cli.parameter_types import NamedPath
from kgdb.cli.shared_options import connected, json_option
from kgdb.errors import UsageError
from kgdb.settings import Settings
from kgdb.wording import counted, listed, one_line, plural, short

if TYPE_CHECKING:
    from kgdb.graph.connection.node_expressions import NameSource
    from kgdb.loading import Adoption


@click.command("adopt", epilog="Example: kgdb adopt movies --name Movie=title")
@click.argument("name")
@click.option(
    "--label",
    "labels",
    multiple=True,
    help="A label of the entities; may be repeated. [default: every label]",
)
@click.option(
    "--id",
    "id_property",
    help="The property with the ids, for one --label. [default: the database's own ids]",
)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="[LABEL=]PROPERTY",
    help="The property with the names of a label, or of all; may be repeated. Several are joined "
    "by +: Employee=firstName+lastName. [default: chosen for each label]",
)
@click.option(
    "--alias", "aliases", multiple=True, help="A property with other names; may be repeated."
)
@click.option("--title", help="The title in the list of kgdb graphs.")
@click.option(
    "--dump",
    type=NamedPath(path_type=Path),
    metavar="FILE",
    help="First load FILE, a dump of neo4j-admin database dump, into the empty local server.",
)
@json_option
def adopt_command(
    name: str,
    labels: tuple[str, ...],
    id_property: str | None,
    names: tuple[str, ...],
    aliases: tuple[str, ...],
    title: str | None,
    dump: Path | None,
    as_json: bool,
) -> None:
    """Use a graph that is already in Neo4j, in place.

    NAME is the name of the graph in kgdb. The graph has all nodes, or those with a --label. The
    command prints the property that it uses as the name of the nodes with each label. It writes
    only bookkeeping nodes and indexes, which kgdb remove removes; your nodes and relationships
    stay unchanged. Nodes that you add later belong to the graph; repeat the command to count
    again, and after you add labels.
    """
    from kgdb.loading import adopt

    if dump is not None:
        _load_dump(name, dump, settings_of())
    with connected() as connection:
        adopted = adopt(
            connection,
            name,
            labels,
            id_property=id_property,
            name_properties=_name_properties(names),
            alias_properties=aliases,
            title=title,
            encoder=connection.encoder,
            report=connection.report,
        )
    if as_json:
        print_json(_as_json(adopted))
        return
    for line in _notes(adopted):
        err.print(line, markup=False)
    graph = adopted.graph
    out.print(
        f"Adopted {graph.name}: {counted(graph.triples, 'triple')}, "
        f"{counted(graph.entities, 'entity', 'entities')}, "
        f"{counted(graph.relations, 'relation')}. Your nodes are unchanged and have no PageRank."
    )


def _load_dump(name: str, dump: Path, settings: Settings) -> None:
    """Fill the empty local server; refuse one of somebody else's, whose files are not here."""
    from kgdb.runtime import local_server

    server = local_server(settings)
    if server is None:
        raise UsageError(
            f"--dump loads into the local server of kgdb, and {settings.uri} is another one.",
            hint="On its machine, with the server stopped, run: neo4j-admin database load neo4j "
            f"--from-stdin --overwrite-destination=true < {shlex.quote(str(dump))} . Start it, "
            f"then: kgdb adopt {name}. Or unset NEO4J_URI to use the local server.",
        )
    with reporting() as report:
        server.load_dump(dump, report)


def _name_properties(names: Iterable[str]) -> str | dict[str, list[str]] | None:
    """The values of ``--name``: one property for all labels, or the properties of each."""
    given = list(names)
    if not given:
        return None
    if len(given) == 1 and "=" not in given[0]:
        return given[0]
    by_label = {}
    for value in given:
        label, equals, properties = value.rpartition("=")
        if not equals or not label or not properties:
            raise UsageError(
                f"--name is {short(value)}; expected LABEL=PROPERTY where --name is repeated.",
                hint="For instance: --name Movie=title --name Person=name",
            )
        by_label[label] = properties.split("+")
    return by_label


def _as_json(adopted: Adoption) -> dict[str, object]:
    graph = adopted.graph
    sources = {source.label: source for source in graph.names}
    return {
        "graph": graph.name,
        "labels": {
            label: {"nodes": nodes, "name": _name(sources[label]) if label in sources else None}
            for label, nodes in adopted.labels.items()
        },
        "triples": graph.triples,
        "entities": graph.entities,
        "relations": graph.relations,
        "nameless": sum(adopted.nameless.values()),
        "outside": adopted.outside,
        "left_out": dict(adopted.left_out),
        "bookkeeping": dict(adopted.bookkeeping),
        "kinds": {name: asdict(kind) for name, kind in adopted.kinds.items()},
    }


def _name(source: NameSource) -> str:
    name = "+".join(source.properties)
    return f"{source.label} and {name}" if source.with_label else name


def _notes(adopted: Adoption) -> Iterable[str]:
    """What the command chose, and what the graph does not have."""
    graph = adopted.graph
    sources = {source.label: source for source in graph.names}
    for label, nodes in adopted.labels.items():
        line = f"{one_line(label)}: {counted(nodes, 'node')}, "
        if label not in sources:
            line += f"without names: ids are shown (--name {label}=PROPERTY sets one)"
        else:
            line += f"named by {one_line(_name(sources[label]))}"
            if missing := adopted.nameless.get(label):
                line += (
                    f"; {counted(missing, 'node has', 'nodes have')} none, and "
                    f"{plural(missing, 'its id is', 'their ids are')} shown instead"
                )
        yield line
    for label, owner in adopted.left_out.items():
        yield f"{one_line(label)}: left out, because nodes of the graph {short(owner)} have it"
    for label, nodes in adopted.bookkeeping.items():
        yield (
            f"{one_line(label)}: {counted(nodes, 'node')} left out, because labels that begin with "
            f"_ are other tools' bookkeeping (--label {one_line(label)} adopts the label)"
        )
    for relation, kind in adopted.kinds.items():
        yield (
            f"{one_line(relation)}: its property {short(kind.property)} says what a relationship "
            f"means ({listed(kind.values)}), and kgdb asks by types. This gives each its type "
            f"beside the one that it has; adopt again afterwards: {one_line(kind.statement)}"
        )
    if adopted.outside:
        yield (
            f"{counted(adopted.outside, 'relationship leads', 'relationships lead')} to nodes "
            f"without {plural(len(graph.labels), 'the label', 'the labels')} "
            f"{listed(graph.labels)}; the graph does not contain them."
        )
