"""Retrievers and tools over a scripted graph; a framework that is not there is skipped."""

from __future__ import annotations

import asyncio
import importlib
import logging
import sys
from typing import Any

import pytest
from scripted_graph import DIRECTORS, UNKNOWN, ScriptedGraph

from kgdb.errors import UsageError
from kgdb.optional_packages import installation

pytestmark = pytest.mark.unit

PACKAGES = {
    "langchain": "langchain_core",
    "llama_index": "llama_index.core",
    "neo4j_graphrag": "neo4j_graphrag",
    "haystack": "haystack",
}


def framework(name: str) -> Any:
    """The module for that framework, or a skipped test."""
    extra = name.replace("_", "-")
    pytest.importorskip(PACKAGES[name], reason=f"needs the extra {extra}: {installation(extra)}")
    return importlib.import_module(f"kgdb.interop.{name}")


@pytest.mark.parametrize("name", PACKAGES)
def test_a_framework_that_is_not_installed_comes_with_the_command(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.delitem(sys.modules, f"kgdb.interop.{name}", raising=False)
    monkeypatch.setitem(sys.modules, PACKAGES[name], None)
    with pytest.raises(UsageError, match="is not installed") as failure:
        importlib.import_module(f"kgdb.interop.{name}")
    assert failure.value.hint == installation(name.replace("_", "-"))


def test_langchain_retrieves_and_tells_callbacks_why_not() -> None:
    from_kgdb = framework("langchain")
    from langchain_core.callbacks import BaseCallbackHandler

    texts: list[str] = []

    class Told(BaseCallbackHandler):
        def on_text(self, text: str, **_: Any) -> None:
            texts.append(text)

    graph, told = ScriptedGraph(), Told()
    retriever = from_kgdb.GraphRetriever(graph=graph, k=2, options={"llm": "none"})
    found = retriever.invoke(DIRECTORS.question, config={"callbacks": [told]})
    assert [each.metadata["answer"] for each in found] == ["Ruben", "Tobias"]
    assert (texts, graph.options) == ([], [{"llm": "none"}])
    assert retriever.invoke(UNKNOWN.question, config={"callbacks": [told]}) == []
    assert texts == ["nothing is named Kermit."]
    assert asyncio.run(retriever.ainvoke(DIRECTORS.question)) == found
    with pytest.raises(UsageError, match="empty"):
        retriever.invoke("")


def test_langchain_agents_read_errors_as_replies() -> None:
    answer, *_ = framework("langchain").graph_tools(ScriptedGraph(), prefix="films_")
    assert answer.args == {"question": {"title": "Question", "type": "string"}}
    call = {"type": "tool_call", "id": "1", "name": "films_answer", "args": {"question": ""}}
    reply = answer.invoke(call)
    assert (reply.status, reply.content) == ("error", "The question is empty.\nAsk something.")


def test_llama_index_shows_models_the_text_alone(caplog: pytest.LogCaptureFixture) -> None:
    from_kgdb = framework("llama_index")
    from llama_index.core.schema import MetadataMode

    retriever = from_kgdb.GraphRetriever(ScriptedGraph(), top_k=2)
    first, second = retriever.retrieve(DIRECTORS.question)
    assert (first.score, second.score) == (1.0, 0.5)
    assert second.metadata["answer"] == "Tobias"
    for mode in (MetadataMode.LLM, MetadataMode.EMBED):
        text = first.node.get_content(metadata_mode=mode)
        assert text == "Film 0 – starred – Ada; Film 0 – directed_by – Ruben"
    found = asyncio.run(retriever.aretrieve(DIRECTORS.question))
    assert [each.text for each in found] == [first.text, second.text]
    with caplog.at_level(logging.INFO, "kgdb"):
        assert retriever.retrieve(UNKNOWN.question) == []
    assert caplog.messages == ["No evidence: nothing is named Kermit."]


def test_llama_index_tools_have_names_and_parameters() -> None:
    answer, verify, _ = framework("llama_index").graph_tools(ScriptedGraph())
    assert answer.metadata.get_name() == "answer"
    assert list(verify.metadata.get_parameters_dict()["properties"]) == ["claim"]
    assert verify.call(claim="A claim.").content.startswith("REFUTED")
    with pytest.raises(UsageError, match="empty"):
        answer.call(question="")


def test_neo4j_graphrag_gives_items_and_the_reason() -> None:
    retriever = framework("neo4j_graphrag").GraphRetriever(ScriptedGraph())
    found = retriever.search(query_text=DIRECTORS.question, top_k=1)
    (item,) = found.items
    assert item.content == "Film 0 – starred – Ada; Film 0 – directed_by – Ruben"
    assert (item.metadata["answer"], item.metadata["score"]) == ("Ruben", 1.0)
    assert found.metadata["cut"]
    nothing = retriever.search(query_text=UNKNOWN.question)
    assert (nothing.items, nothing.metadata["reason"]) == ([], "nothing is named Kermit.")
    tool = retriever.convert_to_tool("films", "Facts about films.")
    assert tool.execute(query_text=DIRECTORS.question, top_k=3).items[0] == item


def test_haystack_components_give_documents_and_reasons() -> None:
    from_kgdb = framework("haystack")
    retriever = from_kgdb.GraphRetriever(ScriptedGraph(), top_k=2)
    found = retriever.run(query=DIRECTORS.question)
    assert [(each.meta["answer"], each.score) for each in found["documents"]] == [
        ("Ruben", 1.0),
        ("Tobias", 0.5),
    ]
    assert len(retriever.run(query=DIRECTORS.question, top_k=1)["documents"]) == 1
    nothing = retriever.run(query=UNKNOWN.question)
    assert nothing == {"documents": [], "reason": "nothing is named Kermit."}
    judged = from_kgdb.ClaimChecker(ScriptedGraph()).run(claim="A claim.")
    assert (judged["label"], judged["documents"][0].meta["side"]) == ("REFUTED", "against")
