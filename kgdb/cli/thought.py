"""A graph of thought as a tree in the terminal, beside the facts that it was found as."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from rich.text import Text
from rich.tree import Tree

from kgdb.methods.gotr.gotr_method import METHOD
from kgdb.values import Answer, Verdict
from kgdb.wording import counted, one_line

_LONGEST = 80
"""Characters of a name that are shown."""


def thought_tree(stage_output: Mapping[str, Any]) -> Tree:
    """The thought of a stage of GoT-R: its nodes, and under each edge the facts found for it.

    ``stage_output`` is what the stage *thought* or the stage *retrieve* keeps in the trace; the
    latter has the facts.
    """
    thought = stage_output.get("thought") or {"nodes": [], "edges": []}
    nodes = thought["nodes"]
    tree = Tree(Text.assemble(("graph of thought", "bold"), _origin(stage_output)))
    scripts, errors = stage_output.get("scripts", ()), stage_output.get("errors", ())
    for place, (written, error) in enumerate(zip_longest(scripts, errors)):
        mended = ", mended" if place else ""
        script = tree.add(Text(f"as the language model wrote it{mended}", style="dim"))
        for line in str(written).strip().splitlines():
            script.add(Text(one_line(line), style="dim"))
        if error is not None:
            tree.add(Text(f"refused: {one_line(str(error))}", style="yellow"))
    named = [node for node in nodes if node["entities"]]
    if named:
        grounded = tree.add("names")
        for node in named:
            grounded.add(_grounding(node))
    for edge in thought["edges"]:
        _add_edge(tree, edge, nodes)
    if not thought["edges"]:
        tree.add(Text("nothing was thought", style="dim"))
    return tree


def attempts(result: Answer | Verdict) -> Mapping[str, Any]:
    """What GoT-R keeps of the scripts of its language model; empty where none was written."""
    said = (stage.output for stage in result.trace if stage.name == "thought")
    return next((output for output in said if output.get("scripts")), {})


def why_none(result: Answer | Verdict) -> str:
    """Why a result has no graph of thought, as the end of a sentence."""
    if result.method != METHOD:
        return f"--method {METHOD} draws one."
    if result.error:
        return "the question had failed before."
    tried = attempts(result)
    if not tried:
        why = "there is no language model to draw one"
    elif tried.get("errors"):
        why = "what the language model wrote was refused"
    else:
        why = "what the language model wrote could not be run"
    return f"{why}, and no chain of relations was found in its place."


def _origin(stage_output: Mapping[str, Any]) -> Text:
    drawn_by = stage_output.get("drawn_by")
    return Text(f" drawn by the {one_line(str(drawn_by))}" if drawn_by else "", style="dim")


def _grounding(node: Mapping[str, Any]) -> Text:
    entities = ", ".join(_short(name) for name in node["entities"])
    believed = "" if node["anchor"] else " (what the model believes)"
    return Text.assemble(
        _short(node["name"]), (" is ", "dim"), (entities, "green"), (believed, "dim")
    )


def _add_edge(tree: Tree, edge: Mapping[str, Any], nodes: Sequence[Mapping[str, Any]]) -> None:
    source, target = (nodes[edge[end]]["name"] for end in ("source", "target"))
    branch = tree.add(_fact(source, edge["type"], target))
    for found in edge["found"]:
        relation = branch.add(
            Text.assemble(
                "found as ",
                (_short(found["relation"]), "cyan"),
                f", {counted(found['count'], 'fact')}",
            )
        )
        for head, type_, tail in found["facts"]:
            relation.add(_fact(head, type_, tail))
        if (more := found["count"] - len(found["facts"])) > 0:
            relation.add(Text(f"… and {more:,} more", style="dim"))
    if not edge["found"]:
        meant = ", ".join(_short(relation) for relation in edge["relations"])
        branch.add(Text(f"not found{f' (looked for {meant})' if meant else ''}", style="dim"))


def _fact(head: object, relation: object, tail: object) -> Text:
    return Text.assemble(_short(head), " –", (_short(relation), "cyan"), "→ ", _short(tail))


def _short(text: object) -> str:
    """A text of the graph or of a model, on one line and not endless."""
    flat = one_line(" ".join(str(text).split()))
    return flat if len(flat) <= _LONGEST else f"{flat[: _LONGEST - 1]}…"
