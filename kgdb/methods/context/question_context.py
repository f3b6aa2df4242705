"""The context of one question: what a method may use while it works on it, and its record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from typing import TypeVar

from kgdb.errors import UsageError
from kgdb.graph.linking.mention_linking import SAME_NAME
from kgdb.language.text.examples import Example, examples
from kgdb.language.text.prompts import language_of
from kgdb.methods.context.batched_graph import STARTS_IN_PLAIN, BatchedGraph
from kgdb.methods.context.batched_models import BatchedEncoder, BatchedLLM
from kgdb.methods.context.batching import BatchedCall
from kgdb.methods.context.budget import Budget
from kgdb.methods.context.resources import Resources
from kgdb.methods.context.trace import StageRecord, Trace
from kgdb.values import Stage, Usage
from kgdb.wording import counted, plural, short

_T = TypeVar("_T")
_R = TypeVar("_R")

_SHOWN = 3
"""Nodes without an id that a note names."""


class QuestionContext:
    """One question on its way through a method.

    ``graph``, ``llm`` and ``encoder`` make the calls of many questions as one batch. Each call
    belongs to the stage that is open: its tokens, time and round trips are charged to it.
    ``budget`` is what the question may still spend.
    """

    def __init__(self, resources: Resources, question: str) -> None:
        self.resources = resources
        self.question = question
        self._trace = Trace()
        self._notes: list[str] = []
        self.budget = Budget(lambda: self._trace.usage, has_llm=resources.llm is not None)
        self.graph = BatchedGraph(resources.graph, self.charge)
        self.llm = BatchedLLM(resources, self.charge, self.note)
        self.encoder = BatchedEncoder(resources, self.charge)

    def asking(self, question: str) -> QuestionContext:
        """The same context for the question in other words: its costs and notes are the same."""
        other = copy(self)
        other.question = question
        return other

    def untuned(self) -> QuestionContext:
        """The same context with the language model without its LoRA adapter; costs and notes too.

        Raises :class:`UsageError` if the model has no adapter.
        """
        llm = self.resources.untuned_llm()
        if llm is None:
            raise UsageError(
                f"The language model {short(self.llm.name or 'none')} has no adapter to leave out.",
                hint="Name one that kgdb lab train llm --strategy lora has tuned: --llm "
                "smollm2+FOLDER or hf:NAME+FOLDER",
            )
        other = copy(self)
        other.llm = BatchedLLM(replace(self.resources, llm=llm), self.charge, self.note)
        return other

    def charge(self, usage: Usage) -> None:
        """Add to what the open stage has cost."""
        self._trace.charge(usage)

    @property
    def usage(self) -> Usage:
        """What the question has cost so far."""
        return self._trace.usage

    @property
    def trace(self) -> tuple[Stage, ...]:
        """The stages that ended so far."""
        return self._trace.stages

    @contextmanager
    def stage(self, name: str) -> Iterator[StageRecord]:
        """A stage of the method; the trace keeps what it records."""
        with self._trace.stage(name) as record:
            yield record
        if self.resources.watch:
            self.resources.watch(self.question, self._trace.stages[-1])

    def note(self, text: str) -> None:
        """Keep something that the user should know of the answer."""
        if text not in self._notes:
            self._notes.append(text)

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes of the method, and what of the graph was left out."""
        return (*self._notes, *self._left_out())

    def _left_out(self) -> Iterator[str]:
        graph = self.graph
        for name in sorted(graph.capped):
            yield (
                f"More than {SAME_NAME:,} entities are called {short(name)}: so many were taken, "
                "and the others left out."
            )
        if graph.left_unfollowed:
            yield (
                f"Without the kgdb plugin only {STARTS_IN_PLAIN} of "
                f"{counted(graph.left_unfollowed, 'entity', 'entities')} of one name were followed."
            )
        if graph.without_id:
            number, shown = len(graph.without_id), sorted(graph.without_id)[:_SHOWN]
            nodes = f"{counted(number, 'node')} {plural(number, 'has', 'have')}"
            more = f" and {number - _SHOWN} more" if number > _SHOWN else ""
            yield (
                f"{nodes} no property {short(graph.info.id_property)}, by which entities of "
                f"this graph go, and {plural(number, 'was', 'were')} left out "
                f"({', '.join(shown)}{more})."
            )

    async def run_for_batch(
        self, kind: str, query: _T, run: Callable[[Sequence[_T]], Sequence[_R]]
    ) -> _R:
        """What a method does for all questions of a batch at once, such as a search of its own.

        ``run`` takes the query of each question and returns a result for each; the same ``kind``
        must always have the same ``run``.
        """
        result: _R = await BatchedCall(("method", kind), query, run, self.charge)
        return result

    def examples(self, task: str) -> tuple[Example, ...]:
        """What the prompt of a task may show: replies to questions over such a graph."""
        language = language_of(self.question)
        return examples(task, self.graph.name, language, self.resources.examples)
