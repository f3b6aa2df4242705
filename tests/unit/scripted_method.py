"""A method that gives what it is told, and a connection that reasons by it: nothing is loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from fakes import BagOfWords, MemoryDriver, memory_graph

from kgdb.errors import KgdbError, UsageError
from kgdb.methods import Method, QuestionContext, Reasoner, Resources, Watch
from kgdb.values import Answer, AnsweredEntity, Entity, Path, Step, Usage, Verdict

Outcome = Answer | Verdict | BaseException


def entity(name: str) -> Entity:
    return Entity(name.lower(), name)


def path(*parts: str) -> Path:
    """``path("Ada", "^acted_in", "Heat")``: names and steps in turn."""
    return Path(tuple(map(entity, parts[::2])), tuple(map(Step.parse, parts[1::2])))


def answered(*paths: Path, count: int | None = None) -> AnsweredEntity:
    return AnsweredEntity(paths[0].entities[-1], paths, count or len(paths))


@dataclass(frozen=True)
class Scripted:
    """Says for each text the outcome of that text; ``stages`` are run on the way."""

    outcomes: Mapping[str, Outcome]
    name: str = "scripted"
    stages: tuple[str, ...] = ("look", "read")
    asked: list[str] = field(default_factory=list)

    async def answer(self, ctx: QuestionContext) -> Answer:
        outcome = await self._outcome(ctx)
        if not isinstance(outcome, Answer):
            raise UsageError("The method scripted answers no questions.")
        return replace(outcome, method=self.name)

    async def verify(self, ctx: QuestionContext) -> Verdict:
        outcome = await self._outcome(ctx)
        if not isinstance(outcome, Verdict):
            raise UsageError("The method scripted does not verify claims.")
        return outcome

    async def _outcome(self, ctx: QuestionContext) -> Outcome:
        self.asked.append(ctx.question)
        for name in self.stages:
            with ctx.stage(name) as stage:
                stage.record(seen=[{"name": ctx.question}], prompt="first\nsecond")
                ctx.charge(Usage(calls=1, tokens_in=7, tokens_out=2, round_trips=1))
        outcome = self.outcomes[ctx.question]
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome


class ScriptedGraph:
    """Makes reasoners over an empty graph; ``refuses`` are methods that cannot be used."""

    name = "demo"

    def __init__(self, refuses: Mapping[str, KgdbError]) -> None:
        self._refuses = refuses
        self.made: list[str] = []

    def reasoner(
        self,
        method: Method,
        *,
        llm: str | None = None,
        encoder: str | None = None,
        watch: Watch | None = None,
    ) -> Reasoner:
        self.made.append(method.name)
        if method.name in self._refuses:
            raise self._refuses[method.name]
        sentences = BagOfWords()
        graph = memory_graph(MemoryDriver([]))
        return Reasoner(method, Resources(graph, sentences, None, watch))


class ScriptedConnection:
    """What ``connected`` gives."""

    def __init__(self, refuses: Mapping[str, KgdbError] | None = None) -> None:
        self.kg = ScriptedGraph(refuses or {})
        self.loaded: list[str | None] = []

    def graph(self, name: str | None = None) -> ScriptedGraph:
        if name not in (None, "demo"):
            raise UsageError(f"The graph {name!r} is not loaded.")
        return self.kg

    def graphs(self) -> list[ScriptedGraph]:
        return [self.kg]

    def llm(self, name: str | None = None) -> None:
        self.loaded.append(name)

    def encoder(self, name: str | None = None) -> None:
        self.loaded.append(name)


Connected = Callable[..., Any]


def connecting(connection: ScriptedConnection) -> Connected:
    """In the place of :func:`kgdb.cli.shared_options.connected`."""

    @contextmanager
    def connected(**_: str | None) -> Iterator[ScriptedConnection]:
        yield connection

    return connected
