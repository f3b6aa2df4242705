"""Each framework does its usual job over the demo graph; one that is not there is skipped."""

from __future__ import annotations

import asyncio
import doctest
import json
import re
from pathlib import Path as FilePath
from typing import Any

import pytest

import kgdb
from kgdb.errors import KgdbError, UsageError
from kgdb.optional_packages import installation

pytestmark = pytest.mark.integration

PAGE = FilePath(__file__).parents[2] / "docs" / "how-to" / "frameworks.md"
PACKAGES = {
    "LangChain": ("langchain_core", "langchain"),
    "LlamaIndex": ("llama_index.core", "llama-index"),
    "neo4j-graphrag": ("neo4j_graphrag", "neo4j-graphrag"),
    "Haystack": ("haystack", "haystack"),
}
ALONE = {"llm": "none"}
WRITERS = "Who wrote The Tuesday Engine?"
FACTS = [
    "The Tuesday Engine – written_by – Nell Castlebrook",
    "The Tuesday Engine – written_by – Ruben Okonjo-Hale",
]
UNKNOWN = "Who wrote Kermit?"
REASON = "the question mentions no name of the graph 'demo'"
FALSE_CLAIM = "Ada Weir directed The Tuesday Engine."
UNASKABLE = {"": "is empty", " \n": "is empty", "who " * 5000: "at most 10,000 are read"}


def needs(name: str) -> None:
    """Skips the test where the framework is not installed."""
    module, extra = PACKAGES[name]
    pytest.importorskip(module, reason=f"needs the extra {extra}: {installation(extra)}")


def sections() -> dict[str, str]:
    """The parts of the page, by their headings."""
    parts = re.split(r"^## (.*)\n", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


@pytest.mark.parametrize("name", PACKAGES)
def test_the_examples_of_the_page_run_and_give_what_it_says(
    demo: kgdb.KnowledgeGraph, name: str
) -> None:
    needs(name)
    text = sections()[""] + sections()[name]
    blocks = re.findall(r"^```pycon\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    examples = doctest.DocTestParser().get_doctest("".join(blocks), {}, name, str(PAGE), 0)
    assert len(examples.examples) > 5
    told: list[str] = []
    failed, _ = doctest.DocTestRunner().run(examples, out=told.append)
    assert not failed, "".join(told)


# LangChain


def test_langchain_answers_by_a_chain(demo: kgdb.KnowledgeGraph) -> None:
    needs("LangChain")
    from langchain_core.language_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage
    from langchain_core.output_parsers import StrOutputParser
    from langchain_core.prompts import ChatPromptTemplate
    from langchain_core.runnables import RunnablePassthrough

    from kgdb.interop.langchain import GraphRetriever

    class Recording(GenericFakeChatModel):
        def _generate(self, messages: Any, *arguments: Any, **options: Any) -> Any:
            prompts.append(messages[0].content)
            return super()._generate(messages, *arguments, **options)

    prompts: list[str] = []
    model = Recording(messages=iter([AIMessage("Nell and Ruben."), AIMessage("Nobody knows.")]))
    retriever = GraphRetriever(graph=demo, options=ALONE)
    context = retriever | (lambda found: "\n".join(each.page_content for each in found))
    prompt = ChatPromptTemplate.from_template("Facts:\n{context}\nQuestion: {question}")
    chain = {"context": context, "question": RunnablePassthrough()} | prompt | model
    chain = chain | StrOutputParser()
    assert chain.invoke(WRITERS) == "Nell and Ruben."
    assert asyncio.run(chain.ainvoke(UNKNOWN)) == "Nobody knows."
    assert prompts == [
        "Facts:\n" + "\n".join(FACTS) + f"\nQuestion: {WRITERS}",
        f"Facts:\n\nQuestion: {UNKNOWN}",
    ]


def test_langchain_documents_have_ids_and_relations(demo: kgdb.KnowledgeGraph) -> None:
    needs("LangChain")
    from kgdb.interop.langchain import GraphRetriever

    retriever = GraphRetriever(graph=demo, k=4, options=ALONE)
    question = "Who directed the films that Ada Weir acted in?"
    found = retriever.invoke(question)
    answer = demo.answer(question, llm="none")
    proofs = {
        tuple(entity.id for entity in path.entities): (each.entity.id, rank)
        for rank, each in enumerate(answer.entities, 1)
        for path in each.paths
    }
    for each in found:
        ids = tuple(entity["id"] for entity in each.metadata["entities"])
        assert proofs[ids] == (each.metadata["answer_id"], each.metadata["rank"])
        assert each.metadata["relations"] == ["^starred_actors", "directed_by"]
    assert len(found) == len({each.metadata["answer_id"] for each in found}) == 4


@pytest.mark.parametrize(("question", "told"), UNASKABLE.items())
def test_langchain_refuses_what_is_no_question(
    demo: kgdb.KnowledgeGraph, question: str, told: str
) -> None:
    needs("LangChain")
    from kgdb.interop.langchain import GraphRetriever, graph_tools

    with pytest.raises(UsageError, match=told):
        GraphRetriever(graph=demo, options=ALONE).invoke(question)
    for tool, name in zip(graph_tools(demo, options=ALONE), ("question", "claim"), strict=False):
        assert told in tool.invoke({name: question})


def test_langchain_tools_answer_judge_and_read(demo: kgdb.KnowledgeGraph) -> None:
    needs("LangChain")
    from kgdb.interop.langchain import graph_tools

    tools = {tool.name: tool for tool in graph_tools(demo, options=ALONE)}
    assert tools["answer"].invoke({"question": WRITERS}).endswith(f"[1] {FACTS[0]}\n[2] {FACTS[1]}")
    assert REASON in tools["answer"].invoke({"question": UNKNOWN})
    assert tools["verify"].invoke({"claim": FALSE_CLAIM}).startswith("REFUTED\nThe Tuesday")
    query = "MATCH (f)-[:written_by]->(p) WHERE f.name = 'The Tuesday Engine' RETURN p.name AS n"
    found = json.loads(tools["read_cypher"].invoke({"query": f"{query} ORDER BY n"}))
    assert found["rows"] == [["Nell Castlebrook"], ["Ruben Okonjo-Hale"]]
    many = json.loads(tools["read_cypher"].invoke({"query": "MATCH (n) RETURN n"}))
    assert (len(many["rows"]), many["truncated"]) == (100, True)
    refused = {
        "MATCH (n) DETACH DELETE n": "FORBIDDEN_CLAUSE",
        "": "EMPTY",
        "MATCH (n) RETURN n //" + "x" * 100_000: "TOO_LARGE",
    }
    for query, code in refused.items():
        assert json.loads(tools["read_cypher"].invoke({"query": query}))["error"]["code"] == code


# LlamaIndex


def test_llama_index_answers_by_a_query_engine(demo: kgdb.KnowledgeGraph) -> None:
    needs("LlamaIndex")
    from llama_index.core.llms import MockLLM
    from llama_index.core.query_engine import RetrieverQueryEngine

    from kgdb.interop.llama_index import GraphRetriever

    retriever = GraphRetriever(demo, options=ALONE)
    engine = RetrieverQueryEngine.from_args(retriever, llm=MockLLM())
    response = engine.query(WRITERS)
    assert [node.text for node in response.source_nodes] == FACTS
    assert "\n\n".join(FACTS) in str(response)
    assert "answer_id" not in str(response)
    assert asyncio.run(engine.aquery(WRITERS)).source_nodes[0].score == 1.0
    assert str(engine.query(UNKNOWN)) == "Empty Response"
    with pytest.raises(UsageError, match="at most 10,000 are read"):
        engine.query("who " * 5000)


def test_llama_index_tools_answer_judge_and_read(demo: kgdb.KnowledgeGraph) -> None:
    needs("LlamaIndex")
    from kgdb.interop.llama_index import graph_tools

    answer, verify, read_cypher = graph_tools(demo, options=ALONE)
    assert FACTS[0] in answer.call(question=WRITERS).content
    assert verify.call(claim=FALSE_CLAIM).content.startswith("REFUTED\n")
    rows = json.loads(read_cypher.call(query="MATCH (n:DemoFilm) RETURN count(n)").content)["rows"]
    assert rows == [[144]]
    assert FACTS[0] in asyncio.run(answer.acall(question=WRITERS)).content
    with pytest.raises(KgdbError, match="The claim is empty"):
        verify.call(claim="")


# neo4j-graphrag


def test_neo4j_graphrag_answers_by_its_pipeline(demo: kgdb.KnowledgeGraph) -> None:
    needs("neo4j-graphrag")
    from neo4j_graphrag.generation import GraphRAG
    from neo4j_graphrag.llm import LLMInterface, LLMResponse

    from kgdb.interop.neo4j_graphrag import GraphRetriever

    class Scripted(LLMInterface):
        def invoke(self, input: str, *_: Any, **options: Any) -> LLMResponse:
            prompts.append(input)
            return LLMResponse(content="Nell and Ruben.")

        async def ainvoke(self, input: str, *_: Any, **options: Any) -> LLMResponse:
            return self.invoke(input)

    prompts: list[str] = []
    rag = GraphRAG(GraphRetriever(demo, ALONE), Scripted("scripted"))
    found = rag.search(WRITERS, return_context=True, response_fallback="I don't know.")
    assert found.answer == "Nell and Ruben."
    assert "\n".join(FACTS) in prompts[0]
    assert found.retriever_result.items[0].metadata["answer"] == "Nell Castlebrook"
    one = rag.search(WRITERS, retriever_config={"top_k": 1}, return_context=True)
    assert [item.content for item in one.retriever_result.items] == FACTS[:1]
    nothing = rag.search(UNKNOWN, return_context=True, response_fallback="I don't know.")
    assert (nothing.answer, len(prompts)) == ("I don't know.", 2)
    assert REASON in nothing.retriever_result.metadata["reason"]
    with pytest.raises(UsageError, match="is empty"):
        rag.search("", return_context=True)


# Haystack


def test_haystack_answers_and_checks_by_a_pipeline(demo: kgdb.KnowledgeGraph) -> None:
    needs("Haystack")
    from haystack import Pipeline
    from haystack.components.builders import PromptBuilder

    from kgdb.interop.haystack import ClaimChecker, GraphRetriever

    template = "{% for each in documents %}{{ each.content }}\n{% endfor %}{{ reason }}"
    pipeline = Pipeline()
    pipeline.add_component("retriever", GraphRetriever(demo, options=ALONE))
    pipeline.add_component("prompt", PromptBuilder(template, required_variables="*"))
    pipeline.add_component("checker", ClaimChecker(demo, ALONE))
    pipeline.connect("retriever.documents", "prompt.documents")
    pipeline.connect("retriever.reason", "prompt.reason")
    checked = {"claim": FALSE_CLAIM}
    found = pipeline.run({"retriever": {"query": WRITERS}, "checker": checked})
    assert found["prompt"]["prompt"].splitlines() == FACTS
    assert found["checker"]["label"] == "REFUTED"
    (fact,) = found["checker"]["documents"]
    assert fact.content == "The Tuesday Engine – directed_by – Ruben Okonjo-Hale"
    assert fact.meta["side"] == "against"
    nothing = pipeline.run({"retriever": {"query": UNKNOWN}, "checker": checked})
    assert REASON in nothing["prompt"]["prompt"]
    with pytest.raises(Exception, match="is empty"):
        pipeline.run({"retriever": {"query": ""}, "checker": checked})
    unproved = ClaimChecker(demo, ALONE).run("Kermit directed The Tuesday Engine.")
    assert (unproved["label"], unproved["documents"]) == ("NOT ENOUGH EVIDENCE", [])
    assert "Kermit" in unproved["reason"]
