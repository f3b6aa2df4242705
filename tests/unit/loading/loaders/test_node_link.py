"""Graphs in node-link JSON and in Cytoscape's JSON."""

from __future__ import annotations

import json
from pathlib import Path

import networkx
import pytest
from graph_files import XSD, advice, notes, refusal, skipped, written
from loaded import load

from kgdb.loading.reading import json_values

pytestmark = pytest.mark.unit


def test_a_graph_of_networkx(tmp_path: Path) -> None:
    graph = networkx.MultiDiGraph()
    graph.add_node(
        "k1", name="Kestrel", type="Bird", span=0.75, eggs=5, wild=True, seen="2021-05-04"
    )
    graph.add_node(
        "v1", name="Vole", type="Mammal", nested={"food": {"main": "grass"}, "x": [1, 2]}
    )
    graph.add_edge("k1", "v1", relation="eats", weight=2)
    graph.add_edge("k1", "v1", relation="hunts", weight=3)
    source = written(tmp_path, "g.json", json.dumps(networkx.node_link_data(graph)))
    loaded = load("node-link", source)
    assert loaded.triples == {("k1", "eats", "v1"), ("k1", "hunts", "v1")}
    assert (loaded.name("k1"), loaded.labels("v1")) == ("Kestrel", ["Mammal"])
    assert loaded.literals == {
        ("k1", "span", "0.75", f"{XSD}double", None),
        ("k1", "eggs", "5", f"{XSD}integer", None),
        ("k1", "wild", "true", f"{XSD}boolean", None),
        ("k1", "seen", "2021-05-04", f"{XSD}date", None),
        ("v1", "nested.food.main", "grass", None, None),
        ("v1", "nested.x", "1", f"{XSD}integer", None),
        ("v1", "nested.x", "2", f"{XSD}integer", None),
    }
    assert notes("node-link", source) == ("Properties of the relationships: weight (whole number)",)


@pytest.mark.parametrize("key", ["links", "edges"])
def test_the_number_of_facts_is_that_of_networkx(tmp_path: Path, key: str) -> None:
    graph = networkx.gnp_random_graph(120, 0.05, seed=4)
    source = written(
        tmp_path, "g.json", json.dumps(networkx.node_link_data(graph, edges=key), indent=1)
    )
    loaded = load("node-link", source, relation="none")
    assert len(loaded.entities) == graph.number_of_nodes()
    directed = graph.to_directed()  # as networkx itself states an undirected edge both ways
    assert loaded.triples == {
        (str(head), "related_to", str(tail)) for head, tail in directed.edges()
    }
    assert loaded.counts.mirrored == graph.number_of_edges()


def test_a_block_may_end_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = written(
        tmp_path,
        "g.json",
        '\ufeff{"nodes": [{"id": 10, "name": "Zoë \\u00e9\\" 😀"}, {"id": 2.5e1}],\n'
        '"links": [{"source": 10, "target": 25, "label": "x"}], "n": -12.5}\n',
    )
    whole = load("node-link", source)
    for size in (1, 2, 3, 5, 7):
        monkeypatch.setattr(json_values, "BLOCK", size)
        assert load("node-link", source) == whole
    assert whole.triples == {("10", "x", "25")}
    assert whole.name("10") == 'Zoë é" 😀'


def test_odd_nodes_and_links(tmp_path: Path) -> None:
    document = {
        "graph": {"made": "by hand"},
        "nodes": [
            {"id": "ß", "name": None, "tags": ["a", None, ""]},
            {"id": "ß", "name": "Eszett"},
            {"name": "only a name"},
            {"id": ["a", 1], "attributes": {"label": "a tuple"}},
            {"group": 1},
            "x",
        ],
        "edges": [
            {"source": {"id": "ß"}, "target": 2, "label": "drawn by D3"},
            {"from": "ß", "to": ["a", 1], "undirected": True},
            {"source": "ß"},
        ],
    }
    source = written(tmp_path, "odd.json", json.dumps(document, ensure_ascii=False, indent=2))
    loaded = load("node-link", source)
    assert loaded.triples == {
        ("ß", "drawn by D3", "only a name"),
        ("ß", "related_to", '["a", 1]'),
        ('["a", 1]', "related_to", "ß"),
    }
    assert [loaded.name(id) for id in ("ß", '["a", 1]')] == ["Eszett", "a tuple"]
    assert loaded.literals == {("ß", "tags", "a", None, None)}
    lines = source.read_text(encoding="utf-8").splitlines()
    assert skipped("node-link", source) == [
        (lines.index('      "group": 1'), "the node has no id"),
        (lines.index('    "x"') + 1, "the node is not an object"),
        (len(lines) - 4, "the link has no target"),
    ]


def test_cytoscape(tmp_path: Path) -> None:
    data = networkx.cytoscape_data(networkx.DiGraph([("a", "b"), ("b", "c")]))
    loaded = load("node-link", written(tmp_path, "cy.json", json.dumps(data)))
    assert loaded.triples == {("a", "related_to", "b"), ("b", "related_to", "c")}
    flat = [
        {"data": {"id": "a", "label": "Ash"}},
        {"data": {"id": "b"}},
        {"data": {"id": "e1", "source": "a", "target": "b", "interaction": "shades"}},
    ]
    loaded = load("node-link", written(tmp_path, "flat.json", json.dumps({"elements": flat})))
    assert (loaded.triples, loaded.name("a")) == ({("a", "shades", "b")}, "Ash")


@pytest.mark.parametrize(
    ("content", "place", "problem"),
    [
        ('{"nodes": [{"id": 1},\n {"id": 2}', "line 2, column 11", "expected ',' or ']'"),
        ('{"nodes": [{"id": 1},\n {"id" 2}]}', "line 2, column 8", "Expecting ':'"),
        ('{"nodes": [],\n "links": [] } {', "line 2, column 16", "more text follows"),
        ('{"nodes": [{"id": "un', "line 1, column 19", "Unterminated string"),
    ],
)
def test_a_mistake_is_named_by_line(tmp_path: Path, content: str, place: str, problem: str) -> None:
    error = refusal("node-link", written(tmp_path, "cut.json", content))
    assert place in str(error)
    assert problem in str(error)
    assert "export it again" in str(error.hint)


def test_a_document_without_links_is_no_graph(tmp_path: Path) -> None:
    error = refusal("node-link", written(tmp_path, "g.json", '{"edgesx": []}'))
    assert 'neither "nodes" nor "links"' in str(error)


def test_init_gives_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = written(tmp_path, "G.json", '{"nodes": [{"id": 1}], "links": []}')
    assert advice(source, monkeypatch) == f"kgdb load node-link {source} --as g --dry-run"


@pytest.mark.parametrize("kind", [networkx.MultiDiGraph, networkx.Graph])
def test_lists_of_neighbours(tmp_path: Path, kind: type[networkx.Graph]) -> None:
    graph = kind()
    graph.add_node(7, name="Wren")
    graph.add_edge(7, "n x", relation="near", weight=2)
    graph.add_edge("n x", "n x", relation="near")
    graph.add_edge("n x", "z", relation="above")
    data = networkx.adjacency_data(graph)
    loaded = load("node-link", written(tmp_path, "adjacency.json", json.dumps(data)))
    stated = graph if graph.is_directed() else graph.to_directed()
    assert loaded.triples == {
        (str(head), fields["relation"], str(tail)) for head, tail, fields in stated.edges(data=True)
    }
    assert loaded.qualifiers["7", "near", "n x"] == [{"weight": 2}]
    assert loaded.name("7") == "Wren"


def test_lists_of_an_edge_are_kept_whole(tmp_path: Path) -> None:
    link = {"source": "a", "target": "b", "relation": "plays", "roles": ["Nell", "Bo"], "at": 3}
    document = {"nodes": [], "links": [link, {**link, "roles": ["Nell"]}]}
    loaded = load("node-link", written(tmp_path, "g.json", json.dumps(document)))
    held = loaded.qualifiers["a", "plays", "b"]
    assert sorted(each["roles"] for each in held) == [["Nell"], ["Nell", "Bo"]]
    assert {each["at"] for each in held} == {3}
