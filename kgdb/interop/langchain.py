"""A retriever and tools for LangChain (extra ``langchain``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from kgdb.errors import KgdbError
from kgdb.interop.agent_functions import agent_functions
from kgdb.interop.evidence_documents import AnsweringGraph, retrieve
from kgdb.optional_packages import optional

optional("langchain_core", "langchain")  # first: its error names the extra

from langchain_core.callbacks import CallbackManagerForRetrieverRun  # noqa: E402
from langchain_core.documents import Document  # noqa: E402
from langchain_core.retrievers import BaseRetriever  # noqa: E402
from langchain_core.tools import StructuredTool, ToolException  # noqa: E402


class GraphRetriever(BaseRetriever):
    """Gives the evidence of the answer to a question as documents, at most ``k``.

    ``options`` are those of :meth:`kgdb.KnowledgeGraph.answer`. There are no documents where there
    is no answer; callbacks are told the reason by ``on_text``.
    """

    graph: Any
    k: int = 10
    options: dict[str, Any] = {}  # noqa: RUF012 - pydantic copies it

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        found = retrieve(self.graph, query, self.k, self.options)
        if not found.documents:
            run_manager.on_text(found.reason)
        return [
            Document(page_content=each.text, metadata=each.metadata) for each in found.documents
        ]


def graph_tools(
    graph: AnsweringGraph, *, prefix: str = "", options: Mapping[str, Any] | None = None
) -> list[StructuredTool]:
    """The tools ``answer``, ``verify`` and ``read_cypher`` for an agent.

    With several graphs, a ``prefix`` keeps the names of their tools apart. ``options`` are those
    of :meth:`kgdb.KnowledgeGraph.answer`. The agent reads errors as the reply of the tool.
    """
    return [
        StructuredTool.from_function(
            _told(each.function),
            name=each.name,
            description=each.description,
            handle_tool_error=True,
        )
        for each in agent_functions(graph, prefix, options)
    ]


def _told(function: Callable[[str], str]) -> Callable[[str], str]:
    """The function, with the errors of kgdb as those that an agent reads."""

    @wraps(function)
    def tool(*args: Any, **kwargs: Any) -> str:
        try:
            return function(*args, **kwargs)
        except KgdbError as error:
            raise ToolException(str(error)) from error

    return tool
