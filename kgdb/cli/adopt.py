"""``kgdb adopt``."""

from __future__ import annotations

import click

from kgdb.cli.console import err, out, print_json
from kgdb.cli.options import connected, database_options, json_option
from kgdb.errors import UsageError
from kgdb.wording import counted, plural, short


@click.command("adopt", epilog="Example: kgdb adopt movies --label Film --id imdb")
@click.argument("name")
@click.option("--label", required=True, multiple=True, help="The label of all entities.")
@click.option(
    "--id", "id_property", default="id", show_default=True, help="The property with the ids."
)
@click.option(
    "--name",
    "name_property",
    default="name",
    show_default=True,
    help="The property with the names.",
)
@click.option(
    "--alias", "aliases", multiple=True, help="A property with other names; may be repeated."
)
@click.option("--title", help="The title in the list of kgdb graphs.")
@database_options
@json_option
def adopt_command(
    name: str,
    label: tuple[str, ...],
    id_property: str,
    name_property: str,
    aliases: tuple[str, ...],
    title: str | None,
    as_json: bool,
    **database: str | None,
) -> None:
    """Use a graph that is already in Neo4j, in place.

    NAME is the name of the graph in kgdb. The command writes only bookkeeping nodes and indexes.
    Your nodes and relationships stay unchanged, also when kgdb unload removes the graph from kgdb.
    Repeat the command after changes to the graph.
    """
    from kgdb.loading import adopt

    if len(label) > 1:
        together = "|".join(label)
        raise UsageError(
            f"Got several labels: {', '.join(label)}; expected one.",
            hint="All entities of a graph share one label. Give every (n:"
            f"{together}) another label by SET n:Mine, and adopt that label.",
        )
    with connected(**database) as connection:
        adopted = adopt(
            connection,
            name,
            label[0],
            id_property=id_property,
            name_property=name_property,
            alias_properties=aliases,
            title=title,
            encoder=connection.encoder,
            report=connection.report,
        )
    graph = adopted.graph
    if as_json:
        print_json(
            {
                "graph": graph.name,
                "label": graph.label,
                "triples": graph.triples,
                "entities": graph.entities,
                "relations": graph.relations,
                "nameless": adopted.nameless,
                "outside": adopted.outside,
            }
        )
        return
    if adopted.nameless:
        err.print(
            f"{counted(adopted.nameless, 'entity has', 'entities have')} no "
            f"{short(name_property)}; "
            f"{plural(adopted.nameless, 'its id is', 'their ids are')} shown instead.",
            markup=False,
        )
    if adopted.outside:
        err.print(
            f"{counted(adopted.outside, 'relationship leads', 'relationships lead')} to nodes "
            f"without the label {short(graph.label)}; the graph does not contain them.",
            markup=False,
        )
    out.print(
        f"Adopted {graph.name}: {counted(graph.triples, 'triple')}, "
        f"{counted(graph.entities, 'entity', 'entities')}, "
        f"{counted(graph.relations, 'relation')}. Your nodes are unchanged and have no PageRank."
    )
