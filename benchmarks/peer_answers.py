"""Thirty questions, the same language model: kgdb beside chains that have a model write Cypher.

    pip install langchain-neo4j neo4j-graphrag llama-index-graph-stores-neo4j
    python -m benchmarks.peer_answers EXAMPLES --llm smollm2

EXAMPLES is the folder with ``movies.jsonl.gz`` and ``northwind.jsonl.gz``. The chains read the
schema with APOC, so ``NEO4J_URI`` names an empty server that has it, and the kgdb plugin. Questions
whose ``gold`` is null cannot be answered from the graph: to refuse is right.
"""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

import kgdb
from benchmarks.log import tell
from kgdb.language import CompletionRequest, LanguageModel
from kgdb.values import Answer

_QUESTIONS = Path(__file__).with_name("peer_questions.jsonl")
_FILL = "UNWIND $rows AS row CREATE (n:$(row.labels) {_id: row.id}) SET n += row.properties"
_JOIN = """UNWIND $rows AS row MATCH (a {_id: row.start}) MATCH (b {_id: row.end})
CREATE (a)-[r:$(row.label)]->(b) SET r += row.properties"""

Rows = list[Any]


@dataclass(slots=True)
class Meter:
    """Asks the model for whoever wants a text, and counts."""

    model: LanguageModel
    calls: int = 0
    tokens: int = 0

    def write(self, prompt: str) -> str:
        """What the model replies to a prompt."""
        (reply,) = self.model.complete([CompletionRequest(prompt, max_tokens=200)])
        if isinstance(reply, Exception):
            raise reply
        self.calls += 1
        self.tokens += reply.tokens_in + reply.tokens_out
        return reply.text


@dataclass(slots=True)
class Score:
    """How a system did."""

    right: int = 0
    wrong: int = 0
    refused: int = 0
    calls: int = 0
    tokens: int = 0
    seconds: list[float] = field(default_factory=list)


System = Callable[[kgdb.KnowledgeGraph, str], Rows]


def judged(rows: Rows, gold: Rows | None) -> str:
    """``right``: each row has something of the gold, and all of the gold is there."""
    found = [set(_values(row)) for row in rows]
    found = [values for values in found if values]
    if not found:
        return "right" if gold is None else "refused"
    if gold is None:
        return "wrong"
    wanted = set(_values(gold))
    everything = set().union(*found)
    return "right" if wanted <= everything and all(v & wanted for v in found) else "wrong"


def _values(found: Any) -> Iterator[str]:
    """The texts and numbers in a row, of nodes those of their properties."""
    if isinstance(found, Mapping):
        found = list(found.values())
    if isinstance(found, list | tuple | set):
        for each in found:
            yield from _values(each)
    elif isinstance(found, int | float) and not isinstance(found, bool):
        yield f"{found:.4g}"
    elif found is not None:
        yield str(found).strip().lower()


def _of_kgdb(answer: Answer) -> Rows:
    if isinstance(answer.value, tuple):
        return [each.entity.name for each in answer.value]
    if answer.value is not None:
        return [answer.value]
    return [each.entity.name for each in answer.entities]


def langchain_chain(meter: Meter, server: Mapping[str, str]) -> System:
    """LangChain's GraphCypherQAChain, which gives the rows of the query."""
    from langchain_core.language_models.llms import LLM
    from langchain_neo4j import GraphCypherQAChain, Neo4jGraph  # type: ignore[import-not-found,unused-ignore]

    class Model(LLM):  # type: ignore[misc,unused-ignore]
        @property
        def _llm_type(self) -> str:
            return "metered"

        def _call(self, prompt: str, *_: Any, **__: Any) -> str:
            return meter.write(prompt)

    chain = GraphCypherQAChain.from_llm(
        Model(), graph=Neo4jGraph(**server), return_direct=True, allow_dangerous_requests=True
    )

    def ask(_: kgdb.KnowledgeGraph, question: str) -> Rows:
        return list(chain.invoke({"query": question})["result"])

    return ask


def graphrag_retriever(meter: Meter, graph: kgdb.Connection) -> System:
    """neo4j-graphrag's Text2CypherRetriever."""
    from neo4j_graphrag.llm import LLMInterface, LLMResponse
    from neo4j_graphrag.retrievers import Text2CypherRetriever
    from neo4j_graphrag.types import RetrieverResultItem

    class Model(LLMInterface):  # type: ignore[misc,unused-ignore]
        def invoke(self, input: Any, *_: Any, **__: Any) -> LLMResponse:
            return LLMResponse(content=meter.write(str(input)))

        async def ainvoke(self, input: Any, *_: Any, **__: Any) -> LLMResponse:
            return self.invoke(input)

    def kept(record: Any) -> RetrieverResultItem:
        return RetrieverResultItem(content="", metadata={"row": record.data()})

    retriever = Text2CypherRetriever(graph.driver, Model("metered"), result_formatter=kept)

    def ask(_: kgdb.KnowledgeGraph, question: str) -> Rows:
        return [item.metadata["row"] for item in retriever.search(query_text=question).items]

    return ask


def llama_index_retriever(meter: Meter, server: Mapping[str, str]) -> System:
    """LlamaIndex's TextToCypherRetriever over a property graph store."""
    from llama_index.core.indices.property_graph import TextToCypherRetriever
    from llama_index.core.llms import CompletionResponse, CustomLLM, LLMMetadata
    from llama_index.core.schema import QueryBundle
    from llama_index.graph_stores.neo4j import Neo4jPropertyGraphStore

    class Model(CustomLLM):  # type: ignore[misc,unused-ignore]
        @property
        def metadata(self) -> LLMMetadata:
            return LLMMetadata(model_name="metered", context_window=8192)

        def complete(self, prompt: str, *_: Any, **__: Any) -> CompletionResponse:
            return CompletionResponse(text=meter.write(prompt))

        def stream_complete(self, prompt: str, *_: Any, **__: Any) -> Any:
            raise NotImplementedError

    store = Neo4jPropertyGraphStore(**server)
    retriever = TextToCypherRetriever(store, llm=Model(), include_raw_response_as_metadata=True)

    def ask(_: kgdb.KnowledgeGraph, question: str) -> Rows:
        (node,) = retriever.retrieve_from_graph(QueryBundle(question))
        return list(node.metadata["response"])

    return ask


def kgdb_method(method: str, llm: str) -> System:
    """A method of kgdb."""

    def ask(graph: kgdb.KnowledgeGraph, question: str) -> Rows:
        return _of_kgdb(graph.answer(question, method=method, llm=llm))

    return ask


@contextmanager
def filled(connection: kgdb.Connection, examples: Path, name: str) -> Iterator[kgdb.KnowledgeGraph]:
    """The server with one of the graphs in it, adopted, and empty afterwards."""
    with gzip.open(examples / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    driver = connection.driver
    driver.execute_query(_FILL, rows=[row for row in rows if row["type"] == "node"])
    driver.execute_query(_JOIN, rows=[row for row in rows if row["type"] == "relationship"])
    driver.execute_query("MATCH (n) REMOVE n._id")
    try:
        yield connection.adopt(name)
    finally:
        kgdb.loading.unload(connection, connection.graph(name).info)
        driver.execute_query("MATCH (n) DETACH DELETE n")


@click.command()
@click.argument("examples", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--llm", default="smollm2", show_default=True, help="The model of all systems.")
@click.option("--only", default="", help="Only the systems with this in their name.")
@click.option("--show", is_flag=True, help="Print each answer.")
def main(examples: Path, llm: str, only: str, show: bool) -> None:
    """Print a row for each system."""
    asked = [json.loads(line) for line in _QUESTIONS.read_text(encoding="utf-8").splitlines()]
    scores: dict[str, Score] = {}
    with kgdb.connect(report=tell) as connection:
        model = connection.llm(llm)
        if model is None:
            raise click.UsageError("--llm names no model.")
        for name in dict.fromkeys(each["graph"] for each in asked):
            with filled(connection, examples, name) as graph:
                for system, (meter, ask) in _systems(connection, model, llm).items():
                    if only not in system:
                        continue
                    score = scores.setdefault(system, Score())
                    for each in asked:
                        if each["graph"] == name:
                            _measure(score, graph, ask, each, system if show else "")
                    score.calls, score.tokens = (
                        score.calls + meter.calls,
                        score.tokens + meter.tokens,
                    )
    click.echo(
        f"{'':24}{'right':>7}{'wrong':>7}{'refused':>9}{'s each':>8}{'calls':>7}{'tokens':>9}"
    )
    for system, score in scores.items():
        mean = sum(score.seconds) / len(score.seconds)
        click.echo(
            f"{system:24}{score.right:>7}{score.wrong:>7}{score.refused:>9}{mean:>8.2f}"
            f"{score.calls:>7}{score.tokens:>9}"
        )


def _systems(
    connection: kgdb.Connection, model: LanguageModel, llm: str
) -> dict[str, tuple[Meter, System]]:
    settings = connection._settings
    server = {
        "url": settings.uri or "",
        "username": settings.username,
        "password": settings.password or "",
    }
    chain, retriever, store = (Meter(model) for _ in range(3))
    return {
        "GraphCypherQAChain": (chain, langchain_chain(chain, server)),
        "Text2CypherRetriever": (retriever, graphrag_retriever(retriever, connection)),
        "TextToCypherRetriever": (store, llama_index_retriever(store, server)),
        "kgdb text2cypher": (Meter(model), kgdb_method("text2cypher", llm)),
        "kgdb auto, no model": (Meter(model), kgdb_method("auto", "none")),
    }


def _measure(
    score: Score, graph: kgdb.KnowledgeGraph, ask: System, each: Mapping[str, Any], shown: str
) -> None:
    gold: Rows | None = None
    if each["gold"] is not None:
        gold = [record.values() for record in graph.database.driver.execute_query(each["gold"])[0]]
    began = time.perf_counter()
    try:
        rows: Sequence[Any] = ask(graph, each["question"])
    except Exception as error:
        rows = []
        shown = shown and f"{shown} ({type(error).__name__})"
    score.seconds.append(time.perf_counter() - began)
    verdict = judged(list(rows), gold)
    setattr(score, verdict, getattr(score, verdict) + 1)
    if shown:
        click.echo(f"{verdict:8}{shown}: {each['question']} {str(rows)[:200]}")


if __name__ == "__main__":
    main()
