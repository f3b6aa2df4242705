"""Paths and schemas as pictures."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hostile_results import HOSTILE, hostile_results
from scripted_method import entity, path

from kgdb.drawing import draw, draw_schema
from kgdb.drawing.path_layout import lay_out
from kgdb.values import Triple

pytestmark = pytest.mark.unit

HEAT = path("Ada", "^starred", "Heat", "directed_by", "Mann")
RONIN = path("Ada", "^starred", "Ronin", "directed_by", "Mann")


def names(svg: str) -> list[str]:
    """All that is written in the picture, which has to be well-formed."""
    root = ElementTree.fromstring(svg)
    return [text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text")]


def test_a_picture_has_the_names_and_the_relations() -> None:
    drawing = draw([HEAT, RONIN], {entity("Mann")})
    assert drawing is not None
    assert (drawing.facts, drawing.left_out) == (4, 0)
    assert sorted(names(drawing.svg)) == sorted(
        ["Ada", "Heat", "Mann", "Ronin", "directed_by", "directed_by", "starred", "starred"]
    )
    assert "<title>Heat – directed_by – Mann</title>" in drawing.svg


def test_facts_against_are_dashed_and_more_than_can_be_read_are_left_out() -> None:
    fact = Triple(entity("Heat"), "directed_by", entity("Mann"))
    drawing = draw([HEAT, RONIN], sides={fact: "against"}, max_facts=3)
    assert drawing is not None
    assert (drawing.facts, drawing.left_out) == (2, 2)
    assert drawing.svg.count("stroke-dasharray") == 1
    assert draw([path("Ada")]) is None


def test_names_are_text_of_the_picture() -> None:
    clean = draw([HEAT])
    assert clean is not None
    for result in hostile_results():
        drawing = draw(result.evidence)
        if drawing is not None:
            assert tags(drawing.svg) == tags(clean.svg)
            assert drawing.svg.isprintable()
    assert tags(draw_schema(HOSTILE, [(HOSTILE[0], HOSTILE[1], HOSTILE[2])])) == tags(clean.svg)


def tags(svg: str) -> set[str]:
    return {element.tag for element in ElementTree.fromstring(svg).iter()}


def test_a_schema_has_every_label_once_and_puts_the_most_joined_first() -> None:
    joined = [
        ("Film", "directed_by", "Person"), ("Film", "written_by", "Person"),
        ("Film", "has", "Genre"), ("Person", "knows", "Person"),
    ]  # fmt: skip
    svg = draw_schema(["Alone", "Genre", "Person", "Film"], joined)
    assert sorted(names(svg)) == [
        "Alone", "Film", "Genre", "Person", "directed_by, written_by", "has", "knows"
    ]  # fmt: skip
    at = {name: float(x) for x, name in re.findall(r'<text x="([-\d.]+)"[^>]*>(\w+)<', svg)}
    assert at["Film"] == min(at["Person"], at["Genre"], at["Film"])
    assert at["Person"] != at["Film"] != at["Genre"]


def test_the_same_answer_gives_the_same_drawing() -> None:
    assert lay_out([HEAT, RONIN]) == lay_out([HEAT, RONIN])


def test_entities_stand_by_their_distance_and_apart() -> None:
    layout = lay_out([HEAT, RONIN, path("Ada", "knows", "Ada"), path("Heat", "like", "Ronin")])
    places = {node.entity.name: (node.x, node.y) for node in layout.nodes}
    assert len(set(places.values())) == len(places) == 4
    # Ada and Heat both begin a path.
    assert places["Ada"][0] == places["Heat"][0] < places["Ronin"][0]
    left, top, width, height = layout.box
    for x, y in [(n.x, n.y) for n in layout.nodes] + [p for e in layout.edges for p in e.points]:
        assert left < x < left + width
        assert top < y < top + height
    loops = [edge for edge in layout.edges if edge.head == edge.tail]
    assert len(loops) == 1
    assert len(layout.edges) == 6


def test_relations_between_the_same_entities_share_an_edge_each_way() -> None:
    layout = lay_out([path("A", "r", "B"), path("A", "s", "B"), path("A", "^t", "B")])
    forth, back = sorted(layout.edges, key=lambda edge: -len(edge.relations))
    assert (forth.relations, forth.label, back.relations) == (("r", "s"), "r, s", ("t",))
    assert forth.middle != back.middle
