"""From a new process to the first look at a graph: kgdb beside libraries that write Cypher.

    pip install langchain-neo4j neo4j-graphrag llama-index-graph-stores-neo4j
    python -m benchmarks.peer_startup demo

The graph is loaded in the server that ``NEO4J_URI`` names, with APOC, by which two of the libraries
read the schema. Each of them connects and reads the schema, which comes before every question.
kgdb connects and reads its schema; in a second row it also answers a question, with its encoder.
"""

from __future__ import annotations

import click

import kgdb
from benchmarks.log import tell
from benchmarks.startup import Way

_KGDB = """
import sys
import kgdb

with kgdb.connect() as connection:
    graph = connection.graph(sys.argv[1])
    assert graph.relations
    if sys.argv[2]:
        assert graph.answer(sys.argv[2], llm="none")
print("0")
"""
_LANGCHAIN = """
import os
from langchain_neo4j import GraphCypherQAChain, Neo4jGraph

assert Neo4jGraph(
    os.environ["NEO4J_URI"], os.environ["NEO4J_USERNAME"], os.environ["NEO4J_PASSWORD"]
).schema
print("0")
"""
_GRAPHRAG = """
import os
import neo4j
from neo4j_graphrag.retrievers import Text2CypherRetriever
from neo4j_graphrag.schema import get_schema

login = os.environ["NEO4J_USERNAME"], os.environ["NEO4J_PASSWORD"]
with neo4j.GraphDatabase.driver(os.environ["NEO4J_URI"], auth=login) as driver:
    assert get_schema(driver)
print("0")
"""
_LLAMA_INDEX = """
import os
from llama_index.core.indices.property_graph import TextToCypherRetriever
from llama_index.graph_stores.neo4j import Neo4jPropertyGraphStore

assert Neo4jPropertyGraphStore(
    url=os.environ["NEO4J_URI"],
    username=os.environ["NEO4J_USERNAME"],
    password=os.environ["NEO4J_PASSWORD"],
).get_schema()
print("0")
"""


@click.command()
@click.argument("graph")
@click.option("--question", default="Who wrote The Tuesday Engine?", show_default=True)
@click.option("--turns", type=int, default=5, show_default=True, help="Of which medians count.")
def main(graph: str, question: str, turns: int) -> None:
    """Print seconds of each, by the clock and of the processor; the processes take turns."""
    with kgdb.connect(report=tell) as connection:
        connection.graph(graph)
    ways = {
        "kgdb, schema": Way((_KGDB, graph, ""), [], []),
        "kgdb, schema and an answer": Way((_KGDB, graph, question), [], []),
        "langchain-neo4j, schema": Way((_LANGCHAIN,), [], []),
        "neo4j-graphrag, schema": Way((_GRAPHRAG,), [], []),
        "LlamaIndex, schema": Way((_LLAMA_INDEX,), [], []),
    }
    for _ in range(turns):
        for way in ways.values():
            way.turn()
    click.echo(f"{'':30}{'wall s':>9}{'processor s':>13}")
    for name, way in ways.items():
        wall, processor = (sorted(each)[turns // 2] for each in (way.wall, way.processor))
        click.echo(f"{name:30}{wall:>9.2f}{processor:>13.2f}")


if __name__ == "__main__":
    main()
