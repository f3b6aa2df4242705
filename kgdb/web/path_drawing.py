"""The evidence as a graph, drawn in the browser by Bokeh.

Bokeh is well kept, draws graphs, ships its script inside the Python package, so that a page needs
no network, and draws names on a canvas, where they are never read as HTML.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kgdb.optional_packages import optional
from kgdb.values import Entity, Path, Triple
from kgdb.web.path_layout import Edge, Layout, lay_out
from kgdb.wording import one_line

EXTRA = "html"

_FILLS = {"asked": "#0b7285", "answer": "#2b8a3e", "between": "#495057"}
_LINES = {"fact": "#868e96", "for": "#2b8a3e", "against": "#e03131"}
_DASHES = {"fact": "solid", "for": "solid", "against": "dashed"}
_TEXT = "#7b838b"
"""Colours that can be read on a white page and on a black one."""

_MARKED = "#f08c00"


@dataclass(frozen=True, slots=True)
class Drawing:
    """A graph as Bokeh draws it: ``model`` is JSON, ``facts`` how many are in it."""

    model: str
    width: int
    height: int
    facts: int


def scripts() -> list[str]:
    """What a browser needs to draw."""
    inline = optional("bokeh.resources", EXTRA).Resources("inline", components=["bokeh"])
    return [script.replace("\r\n", "\n") for script in inline.js_raw]


def draw(
    paths: Sequence[Path],
    asked: Collection[Entity],
    answers: Collection[Entity],
    sides: Mapping[Triple, str] | None = None,
) -> Drawing:
    """The paths as one graph. ``sides`` says of facts whether they are ``for`` or ``against``."""
    layout = lay_out(paths)
    facts = len({fact for path in paths for fact in path.triples})
    model = optional("bokeh.embed", EXTRA).json_item(_figure(layout, asked, answers, sides or {}))
    # Inside a page, no letter of it may begin a tag.
    text = json.dumps(model).replace("<", "\\u003c").replace("&", "\\u0026")
    return Drawing(text, math.ceil(layout.width), math.ceil(layout.height), facts)


def _figure(
    layout: Layout,
    asked: Collection[Entity],
    answers: Collection[Entity],
    sides: Mapping[Triple, str],
) -> Any:
    models = optional("bokeh.models", EXTRA)
    figure = optional("bokeh.plotting", EXTRA).figure(
        frame_width=math.ceil(layout.width),
        frame_height=math.ceil(layout.height),
        x_range=(0, layout.width),
        y_range=(0, layout.height),
        tools="pan,zoom_in,zoom_out,reset,save",
        toolbar_location="left",
        background_fill_alpha=0,
        border_fill_alpha=0,
        outline_line_alpha=0,
        min_border=0,
    )
    figure.axis.visible = False
    figure.grid.visible = False
    figure.toolbar.logo = None
    kinds = [_side(edge, sides) for edge in layout.edges]
    colours = [_LINES[kind] for kind in kinds]
    _draw_labels(models, figure, layout.edges)
    graph = models.GraphRenderer(
        layout_provider=models.StaticLayoutProvider(
            graph_layout={node.entity.id: (node.x, node.y) for node in layout.nodes}
        ),
        inspection_policy=models.NodesAndLinkedEdges(),
    )
    graph.edge_renderer.data_source.data = {
        "start": [edge.head.id for edge in layout.edges],
        "end": [edge.tail.id for edge in layout.edges],
        "xs": [[x for x, _ in edge.points] for edge in layout.edges],
        "ys": [[y for _, y in edge.points] for edge in layout.edges],
        "colour": colours,
        "dash": [_DASHES[kind] for kind in kinds],
    }
    graph.edge_renderer.glyph = models.MultiLine(
        line_color="colour", line_dash="dash", line_width=1.5
    )
    graph.edge_renderer.hover_glyph = models.MultiLine(line_color=_MARKED, line_width=3)
    roles = [_role(node.entity, asked, answers) for node in layout.nodes]
    graph.node_renderer.data_source.data = {
        "index": [node.entity.id for node in layout.nodes],
        "label": [one_line(node.label) for node in layout.nodes],
        "name": [one_line(node.entity.name) for node in layout.nodes],
        "id": [one_line(node.entity.id) for node in layout.nodes],
        "role": roles,
        "fill": [_FILLS[role] for role in roles],
    }
    look = {
        "text": "label",
        "text_color": "white",
        "text_font_size": "12px",
        "text_align": "center",
        "text_baseline": "middle",
        "border_radius": 6,
        "padding": 6,
    }
    graph.node_renderer.glyph = models.Text(background_fill_color="fill", **look)
    graph.node_renderer.hover_glyph = models.Text(background_fill_color=_MARKED, **look)
    figure.renderers.append(graph)
    heads = models.ColumnDataSource(
        {
            "x": [edge.middle[0] for edge in layout.edges],
            "y": [edge.middle[1] for edge in layout.edges],
            "angle": [edge.angle - math.pi / 2 for edge in layout.edges],
            "colour": colours,
        }
    )
    figure.scatter("x", "y", source=heads, marker="triangle", size=9, angle="angle", color="colour")
    figure.add_tools(
        models.HoverTool(
            renderers=[graph], tooltips=[("name", "@name"), ("id", "@id"), ("", "@role")]
        )
    )
    return figure


def _draw_labels(models: Any, figure: Any, edges: Sequence[Edge]) -> None:
    """The relations, along their edges and never upside down."""
    source = models.ColumnDataSource(
        {
            "x": [edge.middle[0] for edge in edges],
            "y": [edge.middle[1] for edge in edges],
            "label": [one_line(edge.label) for edge in edges],
            "angle": [_upright(edge.angle) for edge in edges],
        }
    )
    figure.text(
        "x",
        "y",
        text="label",
        angle="angle",
        source=source,
        text_font_size="11px",
        text_color=_TEXT,
        text_align="center",
        text_baseline="bottom",
        y_offset=-4,
    )


def _upright(angle: float) -> float:
    if angle > math.pi / 2:
        return angle - math.pi
    return angle + math.pi if angle < -math.pi / 2 else angle


def _role(entity: Entity, asked: Collection[Entity], answers: Collection[Entity]) -> str:
    if entity in answers:
        return "answer"
    return "asked" if entity in asked else "between"


def _side(edge: Edge, sides: Mapping[Triple, str]) -> str:
    for relation in edge.relations:
        if side := sides.get(Triple(edge.head, relation, edge.tail)):
            return side
    return "fact"
