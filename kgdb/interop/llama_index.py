"""A retriever and tools for LlamaIndex (extra ``llama-index``)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

from kgdb.interop.agent_functions import agent_functions
from kgdb.interop.evidence_documents import AnsweringGraph, EvidenceDocument, retrieve
from kgdb.optional_packages import optional

optional("llama_index.core", "llama-index")  # first: its error names the extra

from llama_index.core.retrievers import BaseRetriever  # noqa: E402
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode  # noqa: E402
from llama_index.core.tools import FunctionTool  # noqa: E402

_log = logging.getLogger("kgdb")


class GraphRetriever(BaseRetriever):
    """Gives the evidence of the answer to a question as nodes, at most ``top_k``.

    ``options`` are those of :meth:`kgdb.KnowledgeGraph.answer`. There are no nodes where there is
    no answer; the log ``kgdb`` has the reason. The score is one divided by the answer's rank.
    """

    def __init__(
        self,
        graph: AnsweringGraph,
        *,
        top_k: int = 10,
        options: Mapping[str, Any] | None = None,
        **given: Any,
    ) -> None:
        self._graph, self._top_k, self._options = graph, top_k, options
        super().__init__(**given)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        found = retrieve(self._graph, query_bundle.query_str, self._top_k, self._options)
        if not found.documents:
            _log.info("No evidence: %s", found.reason)
        return [_node(each) for each in found.documents]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        # The base class would hold the event loop until the answer is there.
        return await asyncio.to_thread(self._retrieve, query_bundle)


def graph_tools(
    graph: AnsweringGraph, *, prefix: str = "", options: Mapping[str, Any] | None = None
) -> list[FunctionTool]:
    """The tools ``answer``, ``verify`` and ``read_cypher`` for an agent.

    With several graphs, a ``prefix`` keeps the names of their tools apart. ``options`` are those
    of :meth:`kgdb.KnowledgeGraph.answer`.
    """
    return [
        FunctionTool.from_defaults(each.function, name=each.name, description=each.description)
        for each in agent_functions(graph, prefix, options)
    ]


def _node(document: EvidenceDocument) -> NodeWithScore:
    """A node whose metadata are for programs: models and encoders read the text alone."""
    keys = list(document.metadata)
    node = TextNode(
        text=document.text,
        metadata=document.metadata,
        excluded_llm_metadata_keys=keys,
        excluded_embed_metadata_keys=keys,
    )
    return NodeWithScore(node=node, score=document.score)
