"""Components for Haystack: a retriever and a checker of claims (extra ``haystack``)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kgdb.interop.evidence_documents import (
    AnsweringGraph,
    EvidenceDocument,
    evidence,
    retrieve,
)
from kgdb.optional_packages import optional

optional("haystack", "haystack")  # first: its error names the extra

from haystack import Document, component  # noqa: E402


@component
class GraphRetriever:
    """Gives the evidence of the answer to a question as documents, at most ``top_k``.

    ``options`` are those of :meth:`kgdb.KnowledgeGraph.answer`. There are no documents where there
    is no answer; the output ``reason`` says why. The score is one divided by the answer's rank.
    """

    def __init__(
        self, graph: AnsweringGraph, top_k: int = 10, options: Mapping[str, Any] | None = None
    ) -> None:
        self.graph, self.top_k, self.options = graph, top_k, options

    @component.output_types(documents=list[Document], reason=str)
    def run(self, query: str, top_k: int | None = None) -> dict[str, Any]:
        """Answer the question; ``top_k`` overrides that of the component."""
        limit = self.top_k if top_k is None else top_k
        found = retrieve(self.graph, query, limit, self.options)
        return {"documents": _documents(found.documents), "reason": found.reason}


@component
class ClaimChecker:
    """Judges a claim: the label, the reason, and the facts for it and against it as documents.

    ``options`` are those of :meth:`kgdb.KnowledgeGraph.verify`.
    """

    def __init__(self, graph: AnsweringGraph, options: Mapping[str, Any] | None = None) -> None:
        self.graph, self.options = graph, options

    @component.output_types(label=str, reason=str, documents=list[Document])
    def run(self, claim: str) -> dict[str, Any]:
        """Judge the claim: SUPPORTED, REFUTED or NOT ENOUGH EVIDENCE."""
        verdict = self.graph.verify(claim, **(self.options or {}))
        found = evidence(verdict)
        documents = _documents(found.documents)
        return {"label": verdict.label, "reason": found.reason, "documents": documents}


def _documents(found: Iterable[EvidenceDocument]) -> list[Document]:
    return [Document(content=each.text, meta=each.metadata, score=each.score) for each in found]
