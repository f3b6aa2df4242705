"""Graphs in GEXF."""

from __future__ import annotations

from pathlib import Path

import networkx
import pytest
from graph_files import XSD, advice, notes, refusal, skipped, written
from loaded import load

pytestmark = pytest.mark.unit

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<gexf xmlns="http://gexf.net/1.3" version="1.3">\n'

FERRIES = f"""{HEAD}<graph mode="static" defaultedgetype="undirected">
<attributes class="node">
  <attribute id="0" title="berths" type="integer"><default>2</default></attribute>
  <attribute id="1" title="open" type="boolean"/>
  <attribute id="2" title="tags" type="liststring"/>
  <attribute id="3" title="site" type="anyURI"/>
  <attribute id="4" title="kind" type="string"/></attributes>
<attributes class="edge"><attribute id="0" title="relation" type="string"/></attributes>
<nodes>
  <node id="l" label="Lerwick" start="1990-01-01"><attvalues><attvalue for="0" value="7"/>
    <attvalue for="1" value="true"/><attvalue for="2" value="a|b"/>
    <attvalue for="3" value="http://l.org/"/><attvalue for="4" value="Harbour"/></attvalues></node>
  <node id="饺" label="Ünst &lt;north&gt;"><nodes><node id="pier"/></nodes></node>
  <node id="l" label="Lerook"/>
</nodes>
<edges>
  <edge id="0" source="l" target="饺" weight="2.5"><attvalues><attvalue for="0" value="ferry"/>
    </attvalues></edge>
  <edge id="1" source="饺" target="pier" type="directed" label="has part"/>
  <edge id="2" source="pier" target="gone"/>
</edges></graph></gexf>
"""


def test_nodes_edges_and_typed_attributes(tmp_path: Path) -> None:
    source = written(tmp_path, "f.gexf", FERRIES)
    loaded = load("gexf", source)
    assert loaded.triples == {
        ("l", "ferry", "饺"),
        ("饺", "has part", "pier"),
        ("pier", "related_to", "gone"),
        ("饺", "ferry", "l"),
        ("gone", "related_to", "pier"),
    }
    assert [loaded.name(id) for id in ("饺", "pier", "gone")] == ["Ünst <north>", "pier", "gone"]
    assert {loaded.name("l"), *loaded.entities["l"]["aliases"]} == {"Lerwick", "Lerook"}
    assert loaded.labels("l") == ["Harbour"]
    assert loaded.literals == {
        ("l", "berths", "7", f"{XSD}integer", None),
        ("l", "berths", "2", f"{XSD}integer", None),
        ("饺", "berths", "2", f"{XSD}integer", None),
        ("pier", "berths", "2", f"{XSD}integer", None),
        ("l", "open", "true", f"{XSD}boolean", None),
        ("l", "tags", "a", None, None),
        ("l", "tags", "b", None, None),
        ("l", "site", "http://l.org/", f"{XSD}anyURI", None),
        ("l", "start", "1990-01-01", f"{XSD}date", None),
    }
    told = notes("gexf", source)
    assert any(note.startswith("Properties of the relationships: weight") for note in told)
    assert loaded.counts.mirrored == 2


def test_a_graph_of_networkx_as_networkx_reads_it_again(tmp_path: Path) -> None:
    graph = networkx.MultiDiGraph()
    for number in range(200):
        graph.add_node(f"n{number}", label=f"Node & {number}", share=number / 3, good=number > 9)
        graph.add_edge(f"n{number}", f"n{number * 11 % 200}", relation=f"r{number % 4}")
    path = tmp_path / "g.gexf"
    networkx.write_gexf(graph, path)
    again = networkx.read_gexf(path)
    loaded = load("gexf", path)
    edges = {(head, data["relation"], tail) for head, tail, data in again.edges(data=True)}
    assert loaded.triples == edges
    assert {id: loaded.name(id) for id in loaded.entities} == dict(again.nodes(data="label"))
    shares = {(id, float(value)) for id, key, value, *_ in loaded.literals if key == "share"}
    assert shares == set(again.nodes(data="share"))


def test_broken_files(tmp_path: Path) -> None:
    half = FERRIES[: FERRIES.index("<edges>")]
    error = refusal("gexf", written(tmp_path, "cut.gexf", half))
    assert "cut.gexf, line 18, column 1: this is not well-formed XML" in str(error)
    assert "export it again" in str(error.hint)
    source = written(
        tmp_path,
        "half.gexf",
        f'{HEAD}<graph><nodes><node/><node id="a"/></nodes><edges>\n<edge source="a"/>'
        '<edge source="a" target="a"/></edges></graph></gexf>',
    )
    assert skipped("gexf", source) == [(3, "the node has no id"), (4, "the edge has no target")]


def test_init_gives_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = written(tmp_path, "f.gexf", FERRIES)
    assert advice(source, monkeypatch) == f"kgdb load gexf {source} --as f --dry-run"


TIMES = f"""{HEAD}<graph mode="dynamic" defaultedgetype="directed" timeformat="integer">
<nodes><node id="a" label="Ann" start="1990"/>
<node id="b" label="Bo" timestamps="&lt;[1991, 1993]&gt;">
  <spells><spell start="1991" endopen="1992"/></spells></node></nodes>
<edges>
  <edge id="0" source="a" target="b" label="led"><spells><spell start="1991" end="1992"/>
    <spell start="1995"/></spells></edge>
  <edge id="1" source="b" target="a" label="met"
    intervals="&lt;[1991, 1992]; [1994, Infinity]&gt;"/>
  <edge id="2" source="b" target="a" label="saw" timestamp="1993"/>
</edges></graph></gexf>
"""


def test_each_spell_of_an_edge_is_a_fact(tmp_path: Path) -> None:
    loaded = load("gexf", written(tmp_path, "t.gexf", TIMES))

    def held(*fact: str) -> list[dict[str, int]]:
        return sorted(loaded.qualifiers[fact[0], fact[1], fact[2]], key=lambda each: each["start"])

    assert held("a", "led", "b") == [{"start": 1991, "end": 1992}, {"start": 1995}]
    assert held("b", "met", "a") == [{"start": 1991, "end": 1992}, {"start": 1994}]
    assert loaded.qualifiers["b", "saw", "a"] == [{"timestamp": 1993}]
    assert {row[:4] for row in loaded.literals} == {
        ("a", "start", "1990", f"{XSD}integer"),
        ("b", "start", "1991", f"{XSD}integer"),
        ("b", "end", "1992", f"{XSD}integer"),
        ("b", "timestamp", "1991", f"{XSD}integer"),
        ("b", "timestamp", "1993", f"{XSD}integer"),
    }


def test_what_is_not_taken_is_counted(tmp_path: Path) -> None:
    source = written(
        tmp_path,
        "groups.gexf",
        f"""{HEAD}<graph defaultedgetype="directed" timeformat="integer">
<attributes class="node"><attribute id="0" title="rank" type="integer"/></attributes>
<nodes><node id="a" label="Ann"><attvalues><attvalue for="0" value="1" start="1990"/>
  <attvalue for="0" value="2" start="1991"/></attvalues>
  <nodes><node id="c" label="Cy"/></nodes></node>
<node id="b" label="Bo" pid="a"/></nodes>
<edges><edge id="0" source="a" target="b" label="led"/></edges></graph></gexf>
""",
    )
    assert "Not taken: parent of a node (2), time of an attribute (2)" in notes("gexf", source)
