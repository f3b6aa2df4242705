"""Graphs in GraphML, of several programs."""

from __future__ import annotations

from pathlib import Path

import networkx
import pytest
from graph_files import XSD, advice, notes, refusal, skipped, written
from loaded import load

pytestmark = pytest.mark.unit

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
OPEN = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'

HARBOUR = f"""{HEAD}{OPEN}
<key id="d0" for="node" attr.name="name" attr.type="string"/>
<key id="d1" for="node" attr.name="kind" attr.type="string"/>
<key id="d2" for="node" attr.name="depth" attr.type="double"/>
<key id="d3" for="node" attr.name="berths" attr.type="int"><default>4</default></key>
<key id="d4" for="node" attr.name="open" attr.type="boolean"/>
<key id="d5" for="node" attr.name="built" attr.type="string"/>
<key id="d6" for="edge" attr.name="relation" attr.type="string"/>
<key id="d7" for="edge" attr.name="ferries" attr.type="long"/>
<graph edgedefault="undirected">
  <node id="h1"><data key="d0">Lerwick</data><data key="d1">Harbour</data><data key="d2">9.5</data>
    <data key="d3">12</data><data key="d4">True</data><data key="d5">1886-06-01</data></node>
  <node id="h2"><data key="d0">Scrabster</data><data key="d2">NaN</data>
    <data key="d4">false</data></node>
  <edge source="h1" target="h2"><data key="d6">linked_to</data><data key="d7">3</data></edge>
  <edge source="h2" target="h1" directed="true"><data key="d6">supplies</data></edge>
</graph></graphml>
"""


def test_nodes_edges_and_typed_attributes(tmp_path: Path) -> None:
    loaded = load("graphml", written(tmp_path, "h.graphml", HARBOUR))
    assert loaded.triples == {
        ("h1", "linked_to", "h2"),
        ("h2", "linked_to", "h1"),
        ("h2", "supplies", "h1"),
    }
    assert [loaded.name(id) for id in ("h1", "h2")] == ["Lerwick", "Scrabster"]
    assert loaded.labels("h1") == ["Harbour"]
    assert loaded.literals == {
        ("h1", "depth", "9.5", f"{XSD}double", None),
        ("h1", "berths", "12", f"{XSD}integer", None),
        ("h2", "berths", "4", f"{XSD}integer", None),
        ("h1", "open", "true", f"{XSD}boolean", None),
        ("h2", "open", "false", f"{XSD}boolean", None),
        ("h1", "built", "1886-06-01", f"{XSD}date", None),
    }
    assert loaded.other_records == {"nodes": 2}


def test_undirected_edges_and_their_attributes_are_noted(tmp_path: Path) -> None:
    assert notes("graphml", written(tmp_path, "h.graphml", HARBOUR)) == (
        "Properties of the relationships: ferries (whole number)",
    )


def test_a_graph_of_networkx_as_networkx_reads_it_again(tmp_path: Path) -> None:
    graph = networkx.MultiDiGraph()
    for number in range(300):
        graph.add_node(f"n{number}", name=f"Node <{number}> & 'ü'", size=number, share=number / 7)
    for number in range(900):
        head, tail = f"n{number % 300}", f"n{number * 7 % 300}"
        graph.add_edge(head, tail, relation=f"r{number % 5}", weight=number)
    path = tmp_path / "big.graphml"
    networkx.write_graphml(graph, path)
    again = networkx.read_graphml(path, force_multigraph=True)
    loaded = load("graphml", path)
    edges = [(head, data["relation"], tail) for head, tail, data in again.edges(data=True)]
    assert loaded.triples == set(edges)
    assert loaded.counts.duplicates == 0  # they differ in their weights
    weights = [
        (*fact, each["weight"]) for fact, held in loaded.qualifiers.items() for each in held if each
    ]
    assert sorted(weights) == sorted(
        (head, data["relation"], tail, data["weight"])
        for head, tail, data in again.edges(data=True)
    )
    assert {id: loaded.name(id) for id in loaded.entities} == dict(again.nodes(data="name"))
    shares = {(id, value) for id, key, value, *_ in loaded.literals if key == "share"}
    assert {(id, float(value)) for id, value in shares} == set(again.nodes(data="share"))


ODD = f"""{HEAD}{OPEN}
<key id="d0" for="node" attr.name="label" attr.type="string"/>
<key id="d1" for="all" attr.name="age" attr.type="int"/>
<graph id="G" edgedefault="directed">
  <node id="饺子"><data key="d0">饺子 &amp; 面 👩‍🍳</data><data key="d1">many</data></node>
  <node id="g"><data key="d0"></data><graph edgedefault="undirected">
    <node id="inner"/><edge source="inner" target="饺子"/></graph></node>
  <node id="饺子"><data key="d0">Dumpling</data><data key="undeclared">x</data></node>
  <edge source="g" target="nowhere"><data key="d0">eats</data></edge>
</graph></graphml>
"""


def test_odd_nodes(tmp_path: Path) -> None:
    source = written(tmp_path, "odd.graphml", ODD)
    loaded = load("graphml", source)
    assert loaded.triples == {
        ("inner", "related_to", "饺子"),
        ("饺子", "related_to", "inner"),
        ("g", "eats", "nowhere"),
    }
    assert {loaded.name("饺子"), *loaded.entities["饺子"]["aliases"]} == {
        "饺子 & 面 👩‍🍳",
        "Dumpling",
    }
    assert [loaded.name(id) for id in ("g", "inner", "nowhere")] == ["g", "inner", "nowhere"]
    assert loaded.literals == {
        ("饺子", "age", "many", None, None),
        ("饺子", "undeclared", "x", None, None),
    }
    assert notes("graphml", source) == (
        "Not among the nodes: 1 ends of edges, such as nowhere (they go by their id)",
        "Not taken: group of a node (1)",
        "Several nodes of one id: 1 ids, such as 饺子 (they become one entity)",
        "Without a relation: 1 edges, which became related_to; --set relation=NAME names the "
        "attribute that has it",
    )


def test_graphml_of_neo4j_by_apoc(tmp_path: Path) -> None:
    source = written(
        tmp_path,
        "apoc.graphml",
        f"""{HEAD}{OPEN}
<key id="name" for="node" attr.name="name" attr.type="string"/>
<key id="labels" for="node" attr.name="labels" attr.type="string"/>
<key id="roles" for="node" attr.name="roles" attr.type="string" attr.list="string"/>
<key id="label" for="edge" attr.name="label" attr.type="string"/>
<graph id="G" edgedefault="directed">
<node id="n0" labels=":Person:Actor"><data key="labels">:Person:Actor</data>
<data key="name">Ada</data><data key="roles">["Nell","Bo"]</data></node>
<node id="n1" labels=":Film"><data key="labels">:Film</data></node>
<edge id="e0" source="n0" target="n1" label="ACTED_IN"><data key="label">ACTED_IN</data></edge>
</graph></graphml>""",
    )
    loaded = load("graphml", source)
    assert loaded.triples == {("n0", "ACTED_IN", "n1")}
    assert (loaded.name("n0"), loaded.labels("n0")) == ("Ada", ["Actor", "Person"])
    assert loaded.literals == {("n0", "roles", role, None, None) for role in ("Nell", "Bo")}
    assert notes("graphml", source) == ()


def test_what_yed_draws_is_the_name_and_the_relation(tmp_path: Path) -> None:
    source = written(
        tmp_path,
        "yed.graphml",
        f"""{HEAD}<graphml xmlns="http://graphml.graphdrawing.org/xmlns"
  xmlns:y="http://www.yworks.com/xml/graphml">
<key for="node" id="d6" yfiles.type="nodegraphics"/>
<key for="edge" id="d10" yfiles.type="edgegraphics"/>
<graph edgedefault="directed" id="G">
<node id="n0"><data key="d6"><y:ShapeNode><y:Fill color="#FFCC00"/>
  <y:NodeLabel>Order &amp; pay</y:NodeLabel></y:ShapeNode></data></node>
<node id="n1"><data key="d6"><y:ShapeNode>
  <y:NodeLabel>Ship
  it</y:NodeLabel></y:ShapeNode></data></node>
<edge id="e0" source="n0" target="n1"><data key="d10"><y:PolyLineEdge>
  <y:EdgeLabel>then</y:EdgeLabel></y:PolyLineEdge></data></edge></graph></graphml>""",
    )
    loaded = load("graphml", source)
    assert loaded.triples == {("n0", "then", "n1")}
    assert [loaded.name(id) for id in ("n0", "n1")] == ["Order & pay", "Ship it"]


def test_groups_of_nodes_are_counted(tmp_path: Path) -> None:
    source = written(
        tmp_path,
        "groups.graphml",
        f"""{HEAD}{OPEN}<graph edgedefault="directed"><node id="a">
<graph edgedefault="directed"><node id="b"/><node id="c"/></graph></node>
<edge source="b" target="c"/></graph></graphml>""",
    )
    assert "Not taken: group of a node (2)" in notes("graphml", source)


def test_elements_that_are_no_facts_are_skipped(tmp_path: Path) -> None:
    source = written(
        tmp_path,
        "half.graphml",
        f"""{HEAD}{OPEN}<graph edgedefault="directed">
<node id="a"/><node/>
<edge source="a"/>
<hyperedge><endpoint node="a"/></hyperedge>
<edge source="a" target="a"/></graph></graphml>""",
    )
    assert skipped("graphml", source) == [
        (4, "the node has no id"),
        (5, "the edge has no target"),
        (6, "a hyperedge has more than two ends"),
    ]


def test_a_mistake_is_named_by_line(tmp_path: Path) -> None:
    source = written(tmp_path, "cut.graphml", HARBOUR[: HARBOUR.index("</node>") + 3])
    error = refusal("graphml", source)
    assert "cut.graphml, line 14, column" in str(error)
    assert "not well-formed XML" in str(error)
    assert "export it again" in str(error.hint)


def test_other_xml_is_named(tmp_path: Path) -> None:
    source = written(tmp_path, "x.graphml", "<?xml version='1.0'?>\n<gexf><graph/></gexf>")
    error = refusal("graphml", source)
    assert "is GEXF" in str(error)
    assert "kgdb load gexf" in str(error.hint)


def test_no_entity_of_xml_reaches_a_file(tmp_path: Path) -> None:
    secret = written(tmp_path, "secret.txt", "the secret")
    source = written(
        tmp_path,
        "x.graphml",
        f'<!DOCTYPE graphml [<!ENTITY s SYSTEM "file://{secret}">]>\n<graphml><graph><node id="a">'
        '<data key="name">&s;</data></node><edge source="a" target="b"/></graph></graphml>',
    )
    assert "declares the entity 's'" in str(refusal("graphml", source))


def test_init_gives_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = written(tmp_path, "North Sea.v2.graphml", HARBOUR)
    expected = f"kgdb load graphml '{source}' --as north-sea --dry-run"
    assert advice(source, monkeypatch) == expected


def test_the_label_that_gephi_gives_an_edge_is_its_relation(tmp_path: Path) -> None:
    source = written(
        tmp_path,
        "gephi.graphml",
        f"""{HEAD}{OPEN}
<key attr.name="label" attr.type="string" for="node" id="label"/>
<key attr.name="Edge Label" attr.type="string" for="edge" id="edgelabel"/>
<graph edgedefault="directed"><node id="1.0"><data key="label">Ann</data></node><node id="2.0"/>
<edge id="0" source="1.0" target="2.0"><data key="edgelabel">wrote to</data></edge></graph>
</graphml>""",
    )
    assert load("graphml", source).triples == {("1.0", "wrote to", "2.0")}
