"""A retriever for the pipelines of neo4j-graphrag (extra ``neo4j-graphrag``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import neo4j

from kgdb.interop.evidence_documents import AnsweringGraph, retrieve
from kgdb.optional_packages import optional

optional("neo4j_graphrag", "neo4j-graphrag")  # first: its error names the extra

from neo4j_graphrag.retrievers.base import Retriever  # noqa: E402
from neo4j_graphrag.types import RawSearchResult, RetrieverResultItem  # noqa: E402


class GraphRetriever(Retriever):
    """Gives the evidence of the answer to a question as records.

    ``options`` are those of :meth:`kgdb.KnowledgeGraph.answer`. There are no records where there is
    no answer; ``metadata["reason"]`` of the result says why.
    """

    VERIFY_NEO4J_VERSION = False

    def __init__(self, graph: AnsweringGraph, options: Mapping[str, Any] | None = None) -> None:
        # Without the base class's: the graph has a connection already, and needs no vector index.
        self._graph, self._options = graph, options

    def get_search_results(self, query_text: str, top_k: int = 10) -> RawSearchResult:
        """Answer the question and give the evidence, at most ``top_k`` records.

        Each record has the ``text`` of a path and its ``metadata``.
        """
        found = retrieve(self._graph, query_text, top_k, self._options)
        rows = (
            {"text": each.text, "metadata": {**each.metadata, "score": each.score}}
            for each in found.documents
        )
        records = [neo4j.Record(row) for row in rows]  # type: ignore[no-untyped-call]
        return RawSearchResult(records=records, metadata=found.metadata)

    def default_record_formatter(self, record: neo4j.Record) -> RetrieverResultItem:
        """The text of a record is what the language model reads."""
        return RetrieverResultItem(content=record["text"], metadata=record["metadata"])
