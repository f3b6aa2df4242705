"""Files as people have them, counted by another program than the loader."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from graph_files import written
from loaded import load

pytestmark = pytest.mark.unit

RELATIONS = ("twin of", "near")


def towns(choice: random.Random) -> Any:
    graph = nx.MultiDiGraph()
    for number in range(40):
        graph.add_node(
            number,
            name=f"Town {number}",
            kind=choice.choice(["Town", "City"]),
            population=choice.randrange(10**6),
            altitude=choice.random(),
            founded=f"1{choice.randrange(100, 999)}-03-31",
            capital=choice.random() < 0.1,
        )
    for _ in range(200):
        graph.add_edge(
            choice.randrange(40),
            choice.randrange(40),
            relation=choice.choice(RELATIONS),
            since=f"20{choice.randrange(10, 25)}-01-01",
            weight=choice.random(),
            lanes=choice.randrange(5),
            toll=choice.random() < 0.5,
        )
    return graph


@pytest.mark.parametrize("loader", ["graphml", "gexf", "node-link"])
def test_a_graph_of_networkx(tmp_path: Path, loader: str) -> None:
    graph = towns(random.Random(loader))
    source = tmp_path / "towns"
    if loader == "node-link":
        source.write_text(json.dumps(nx.node_link_data(graph, edges="links")))
    else:
        getattr(nx, f"write_{loader}")(graph, source)
    loaded = load(loader, source)
    values = 4 * graph.number_of_nodes()
    assert loaded.counts.entities == graph.number_of_nodes()
    assert (loaded.counts.triples, loaded.counts.literals) == (
        graph.number_of_edges() + values,
        values,
    )
    assert Counter(kind for each in loaded.entities for kind in loaded.labels(each)) == Counter(
        kind for _, kind in graph.nodes(data="kind")
    )
    by_id = {name: str(node) for node, name in graph.nodes(data="name")}
    held: Counter[Any] = Counter()
    for (head, relation, tail), facts in loaded.qualifiers.items():
        for fact in facts if relation in RELATIONS else ():
            ends = by_id[loaded.name(head)], by_id[loaded.name(tail)]
            weight = round(fact["weight"], 6)
            held[(*ends, relation, weight, str(fact["since"]), fact["lanes"], fact["toll"])] += 1
    assert held == Counter(
        (
            *(str(head), str(tail), data["relation"], round(data["weight"], 6)),
            *(data["since"], data["lanes"], data["toll"]),
        )
        for head, tail, data in graph.edges(data=True)
    )


def test_an_undirected_graph_of_networkx(tmp_path: Path) -> None:
    graph = nx.karate_club_graph()
    nx.write_graphml(graph, tmp_path / "karate.graphml")
    loaded = load("graphml", tmp_path / "karate.graphml")
    edges = {(str(a), "related_to", str(b)) for a, b in graph.edges}
    assert loaded.triples == edges | {(b, relation, a) for a, relation, b in edges}
    assert {(head, value) for head, _, value, *_ in loaded.literals} == {
        (str(node), club) for node, club in graph.nodes(data="club")
    }


def test_events_with_a_date(tmp_path: Path) -> None:
    """The form of ICEWS: facts that differ in their day are different facts."""
    choice = random.Random(14)
    names = [f"Minister (Country {number})" for number in range(20)]
    relations = ["Make a visit", "Host a visit", "Criticize or denounce"]
    rows = [
        (
            choice.choice(names),
            choice.choice(relations),
            choice.choice(names),
            f"2014-{choice.randrange(1, 13):02}-{choice.randrange(1, 29):02}",
        )
        for _ in range(3_000)
    ]
    source = written(tmp_path, "icews.txt", "".join("\t".join(row) + "\n" for row in rows))
    loaded = load("tsv", source, columns="head relation tail date")
    assert {
        (*fact, str(held["date"])) for fact, facts in loaded.qualifiers.items() for held in facts
    } == set(rows)
    assert loaded.counts.triples == len(set(rows))
    assert loaded.counts.duplicates == len(rows) - len(set(rows))


def test_an_ontology_in_obo(tmp_path: Path) -> None:
    choice = random.Random(3)
    stanzas = ["format-version: 1.4\nontology: made\n"]
    for number in range(100):
        lines = [f"[Term]\nid: X:{number:04}\nname: term {number}"]
        lines += [f'synonym: "word {number} {i}" EXACT []' for i in range(choice.randrange(3))]
        lines += [f"is_a: X:{choice.randrange(100):04} ! a parent"] * choice.randrange(2)
        if number % 3 == 0:
            lines.append(f'relationship: part_of X:{choice.randrange(100):04} {{source="Y:1"}}')
        stanzas.append("\n".join(lines) + "\n")
    stanzas.append("[Typedef]\nid: part_of\nname: part of\n")
    text = "\n".join(stanzas)
    loaded = load("obo", written(tmp_path, "made.obo", text))
    isa = re.findall(r"id: (X:\d+)\n(?:(?!\[).*\n)*?is_a: (X:\d+)", text)
    parts = re.findall(r"id: (X:\d+)\n(?:(?!\[).*\n)*?relationship: part_of (X:\d+)", text)
    assert loaded.triples == {(a, "is_a", b) for a, b in isa} | {
        (a, "part_of", b) for a, b in parts
    }
    assert loaded.counts.entities == text.count("[Term]")
    assert sum(len(each["aliases"] or ()) for each in loaded.entities.values()) == text.count(
        "\nsynonym:"
    )
    assert all(
        held == [{"source": "Y:1"}]
        for (_, relation, _), held in loaded.qualifiers.items()
        if relation == "part_of"
    )
