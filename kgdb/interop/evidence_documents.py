"""The evidence of an answer or a verdict as documents: what retrievers of other libraries give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from kgdb.errors import UsageError
from kgdb.graph import ReadAnswer
from kgdb.plain_text import answer_words, path_text
from kgdb.values import Answer, Path, Verdict
from kgdb.wording import one_line, short


class AnsweringGraph(Protocol):
    """What retrievers and tools ask: a :class:`kgdb.KnowledgeGraph` is one."""

    @property
    def name(self) -> str:
        """The graph's name."""

    def answer(self, question: str, **options: Any) -> Answer:
        """Answer a question."""

    def verify(self, claim: str, **options: Any) -> Verdict:
        """Judge a claim."""

    def read_cypher(self, script: str, *, max_rows: int) -> ReadAnswer:
        """Run a query that only reads."""


@dataclass(frozen=True, slots=True)
class EvidenceDocument:
    """A path in words.

    The metadata are JSON-ready: graph, entities and relations of the path, and what it proves: the
    ``answer`` and its ``rank``, or the ``side`` (``for`` or ``against``) of the claim.
    """

    text: str
    metadata: dict[str, Any]

    @property
    def score(self) -> float:
        """One divided by the rank: methods rank their answers, and have no common score."""
        return 1 / int(self.metadata["rank"])


@dataclass(frozen=True, slots=True)
class Evidence:
    """The documents, best first, and in ``metadata`` what holds for all of them.

    Without documents, ``metadata["reason"]`` says why. ``cut``: the limit left documents out.
    """

    documents: tuple[EvidenceDocument, ...]
    metadata: dict[str, Any]

    @property
    def reason(self) -> str:
        """Why there is no answer or no verdict; empty where there is one."""
        return self.metadata["reason"] or ""


def retrieve(
    graph: AnsweringGraph, question: str, limit: int, options: Mapping[str, Any] | None
) -> Evidence:
    """Answer the question and give at most ``limit`` documents of evidence."""
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise UsageError(
            f"The number of documents is {short(limit)}; expected a whole number from 1 on."
        )
    return evidence(graph.answer(question, **(options or {})), limit)


def evidence(outcome: Answer | Verdict, limit: int | None = None) -> Evidence:
    """The evidence of an answer or a verdict.

    The limit leaves out further paths of an answer before it leaves out an answer.
    """
    if outcome.error is not None:
        raise outcome.error
    numbered = list(_of_verdict(outcome) if isinstance(outcome, Verdict) else _of_answer(outcome))
    best = sorted(range(len(numbered)), key=lambda place: numbered[place][0])[:limit]
    documents = tuple(numbered[place][1] for place in sorted(best))
    return Evidence(
        documents,
        {
            "graph": outcome.graph,
            "method": outcome.method,
            "interpretation": outcome.interpretation,
            "reason": outcome.reason,
            "notes": list(outcome.notes),
            "truncated": isinstance(outcome, Answer) and outcome.truncated,
            "cut": len(documents) < len(numbered),
        },
    )


def _of_answer(answer: Answer) -> Iterator[tuple[int, EvidenceDocument]]:
    """Each document with its number among those of one answer."""
    for rank, each in enumerate(answer.entities, 1):
        about = {"answer": each.entity.name, "answer_id": each.entity.id, "rank": rank}
        for number, path in enumerate(each.paths or (Path((each.entity,), ()),)):
            yield number, _document(answer, path, about)
    if answer.value is not None and not answer.is_empty:
        about = {"answer": answer_words(answer), "answer_id": None, "rank": 1}
        # Whoever reads some of the facts can neither count them all nor see that there are none.
        listed = answer.value if isinstance(answer.value, tuple) else ()
        said = f"{one_line(answer.question)}\n{about['answer']}"
        entities = [asdict(each.entity) for each in listed]
        metadata = {"graph": answer.graph, **about, "entities": entities, "relations": []}
        yield 0, EvidenceDocument(said, metadata)
        for number, path in enumerate(answer.facts, 1):
            yield number, _document(answer, path, about)


def _of_verdict(verdict: Verdict) -> Iterator[tuple[int, EvidenceDocument]]:
    for side, paths in (("for", verdict.supporting), ("against", verdict.opposing)):
        for number, path in enumerate(paths):
            yield number, _document(verdict, path, {"side": side, "rank": 1})


def _document(outcome: Answer | Verdict, path: Path, about: Mapping[str, Any]) -> EvidenceDocument:
    entities = [asdict(entity) for entity in path.entities]
    relations = [str(step) for step in path.steps]
    metadata = {"graph": outcome.graph, **about, "entities": entities, "relations": relations}
    return EvidenceDocument(path_text(path), metadata)
