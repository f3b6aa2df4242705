"""A graph of thought as a tree in the terminal, beside the facts that it was found as."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.markup import escape
from rich.tree import Tree

_LONGEST = 80
"""Characters of a name that are shown."""


def thought_tree(stage_output: Mapping[str, Any]) -> Tree:
    """The thought of a stage of GoT-R: its nodes, and under each edge the facts found for it.

    ``stage_output`` is what the stage *thought* or the stage *retrieve* keeps in the trace; the
    latter has the facts.
    """
    thought = stage_output.get("thought") or {"nodes": [], "edges": []}
    nodes = thought["nodes"]
    tree = Tree(f"[bold]graph of thought[/bold]{_origin(stage_output)}")
    if stage_output.get("script"):
        script = tree.add("[dim]as the language model wrote it[/dim]")
        for line in str(stage_output["script"]).strip().splitlines():
            script.add(f"[dim]{escape(line)}[/dim]")
    for error in stage_output.get("errors") or ():
        tree.add(f"[yellow]refused: {escape(str(error))}[/yellow]")
    named = [node for node in nodes if node["entities"]]
    if named:
        grounded = tree.add("names")
        for node in named:
            grounded.add(_grounding(node))
    for edge in thought["edges"]:
        _add_edge(tree, edge, nodes)
    if not thought["edges"]:
        tree.add("[dim]nothing was thought[/dim]")
    return tree


def _origin(stage_output: Mapping[str, Any]) -> str:
    drawn_by = stage_output.get("drawn_by")
    return f" [dim]drawn by the {escape(str(drawn_by))}[/dim]" if drawn_by else ""


def _grounding(node: Mapping[str, Any]) -> str:
    entities = ", ".join(_short(name) for name in node["entities"])
    believed = "" if node["anchor"] else " [dim](what the model believes)[/dim]"
    return f"{_short(node['name'])} [dim]is[/dim] [green]{entities}[/green]{believed}"


def _add_edge(tree: Tree, edge: Mapping[str, Any], nodes: Sequence[Mapping[str, Any]]) -> None:
    source, target = (_short(nodes[edge[end]]["name"]) for end in ("source", "target"))
    branch = tree.add(f"{source} –[cyan]{_short(edge['type'])}[/cyan]→ {target}")
    for found in edge["found"]:
        facts = "fact" if found["count"] == 1 else "facts"
        label = f"found as [cyan]{_short(found['relation'])}[/cyan], {found['count']:,} {facts}"
        relation = branch.add(label)
        for head, type_, tail in found["facts"]:
            relation.add(f"{_short(head)} –[cyan]{_short(type_)}[/cyan]→ {_short(tail)}")
        if (more := found["count"] - len(found["facts"])) > 0:
            relation.add(f"[dim]… and {more:,} more[/dim]")
    if not edge["found"]:
        meant = ", ".join(_short(relation) for relation in edge["relations"])
        branch.add(f"[dim]not found{f' (looked for {meant})' if meant else ''}[/dim]")


def _short(text: object) -> str:
    """A text of the graph or of a model on one line, with nothing in it that rich would obey."""
    flat = " ".join(str(text).split())
    shown = flat if len(flat) <= _LONGEST else f"{flat[: _LONGEST - 1]}…"
    # A backslash at the end would take the next tag for text.
    return escape(shown) + ("" if not shown.endswith("\\") else " ")
