"""The values that flow through kgdb: question → entities → paths → evidence → answer.

All are frozen and carry no connection, so they can be kept, compared and written as JSON.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Literal, Self, get_args

from kgdb.errors import KgdbError
from kgdb.wording import counted


@dataclass(frozen=True, slots=True, order=True)
class Entity:
    """A node of a knowledge graph: ``id`` is the source's own, ``name`` is what people read."""

    id: str
    name: str


@dataclass(frozen=True, slots=True, order=True)
class Step:
    """One hop along a relation, or against its direction (written ``^relation``)."""

    relation: str
    reverse: bool = False

    @classmethod
    def parse(cls, text: str) -> Self:
        """``"directed_by"`` or ``"^directed_by"`` as a step."""
        return cls(text.removeprefix("^"), text.startswith("^"))

    @property
    def back(self) -> Step:
        """The same hop from its other end."""
        return Step(self.relation, not self.reverse)

    def __str__(self) -> str:
        return f"^{self.relation}" if self.reverse else self.relation


@dataclass(frozen=True, slots=True)
class Triple:
    """A fact as the graph states it."""

    head: Entity
    relation: str
    tail: Entity


@dataclass(frozen=True, slots=True)
class Path:
    """A walk through the graph: ``len(steps) + 1`` entities joined by steps."""

    entities: tuple[Entity, ...]
    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        if len(self.entities) != len(self.steps) + 1:
            raise ValueError(
                f"a path of {counted(len(self.steps), 'step')} joins {len(self.steps) + 1} "
                f"entities, not {len(self.entities)}"
            )

    @property
    def triples(self) -> tuple[Triple, ...]:
        """The facts the path is made of, each in the direction the graph states it."""
        return tuple(
            Triple(after, step.relation, before)
            if step.reverse
            else Triple(before, step.relation, after)
            for before, step, after in zip(
                self.entities, self.steps, self.entities[1:], strict=False
            )
        )


@dataclass(frozen=True, slots=True)
class Usage:
    """What a question cost.

    ``calls``: prompts the language model replied to, of which ``cached`` were answered from the
    cache. ``requests``: what these took, more where a reply was of no use and the model was asked
    in another way; tokens are of all. ``cost``: what the tokens cost, in the currency of the
    prices, where these are known. ``round_trips``: statements to the database that the question
    took part in, but for what is read once for a connection (its relations and their texts).
    ``seconds``: wall-clock time without loading models; what questions do together is shared out
    among them.
    """

    calls: int = 0
    cached: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    seconds: float = 0.0
    round_trips: int = 0
    requests: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.cached + other.cached,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            self.cost + other.cost,
            self.seconds + other.seconds,
            self.round_trips + other.round_trips,
            self.requests + other.requests,
        )


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of a method as it ran: what it produced and what it cost."""

    name: str
    output: Mapping[str, Any]
    usage: Usage


@dataclass(frozen=True, slots=True)
class StagedEvidence:
    """The evidence of a method as its stages left it: what an evaluation counts noise in.

    ``explored`` are the paths that exploration retrieved, whole: no limit of what an answer keeps
    applies. ``refined`` are the facts of these paths that refinement left (RefKG, §3.2); ``None``
    where nothing was refined.
    """

    explored: tuple[Path, ...]
    refined: tuple[Triple, ...] | None = None


@dataclass(frozen=True, slots=True)
class AnsweredEntity:
    """One answer with its proof.

    ``paths`` holds up to the asked number of the ``path_count`` paths that lead to it.
    """

    entity: Entity
    paths: tuple[Path, ...]
    path_count: int


@dataclass(frozen=True, slots=True)
class EntityValue:
    """A value with the entity that has it; of a group, the number that it comes to."""

    entity: Entity
    value: Any


DATE = re.compile(r"-?\d{4}-\d{2}(-\d{2}([T ].*)?)?")
"""A date as ISO 8601 writes it, of months or of days."""


class Year(int):
    """A year: a number that is written without separators, as *1956* and not as *1,956*."""

    def __format__(self, spec: str) -> str:
        return super().__format__(spec.replace(",", ""))


AnswerValue = bool | int | float | str | tuple[EntityValue, ...] | None
"""An answer that is no entity: yes or no, a number, a date or text, or a list of such."""

Kind = Literal["entities", "yes-no", "number", "date", "text", "list", "unknown", "error"]
"""What an answer is.

``entities`` are in its ``entities``, the next five in its ``value``: ``date`` is a text as ISO 8601
writes it, or a :class:`Year`, and a ``list`` has a value for each of its entities. ``unknown``:
there is no answer, and ``reason`` says why. ``error``: it failed.
"""


def value_kind(value: AnswerValue) -> Kind:
    """The kind of an answer without an error; ``None``: it is its entities."""
    match value:
        case None:
            return "entities"
        case bool():
            return "yes-no"
        case Year():
            return "date"
        case int() | float():
            return "number"
        case str():
            return "date" if DATE.fullmatch(value) else "text"
        case _:
            return "list"


@dataclass(frozen=True, slots=True)
class QuestionReading:
    """One of several things that a question may mean: in words, and as a logical form in JSON.

    ``kg.query(reading.form)`` asks it.
    """

    interpretation: str
    form: Mapping[str, Any] = field(repr=False)


class _Outcome:
    """What answers and verdicts have alike."""

    __slots__ = ()
    trace: tuple[Stage, ...]

    @property
    def usage(self) -> Usage:
        """The sum over all stages."""
        return sum((stage.usage for stage in self.trace), Usage())

    def to_dict(self) -> dict[str, Any]:
        """As JSON-ready values, under the names of its attributes."""
        return attributes(self, "kind", "evidence", "usage")

    def _repr_html_(self: Any) -> str:
        from kgdb.result_html import to_html

        return to_html(self)


@dataclass(frozen=True, slots=True)
class Answer(_Outcome):
    """What a method answers: entities in rank order, each with the paths that prove it.

    ``text`` is what the language model wrote, where the method has it write, and ``interpretation``
    the question as the method understood it. ``retrieved`` is all evidence for the answer, best
    first. Without entities, ``reason`` says why there is no answer; ``unsupported`` are
    answers that no evidence proves, kept only when they were asked for. ``notes`` tell what was
    left out on the way, and ``truncated`` that a cap left answers out. ``error`` is what ended the
    question before its answer: the model or the database failed.

    An answer that is no entity is the ``value``: yes or no, a number, a date, a text, or several of
    them with their entities. ``facts`` are the paths that prove it. ``form`` is the logical form
    that was executed, as JSON; see :mod:`kgdb.graph.forms`.

    Where the question may well mean something else, ``readings`` is all that it may mean, what is
    answered first. Where it is not clear which is meant, there are readings and no answer.

    Where the answer is a paragraph (``form="text"``), ``text`` is that, each sentence with the
    numbers of its facts, which are ``cited`` in this order; ``chain`` is how these lead to the
    answer, a tree as indented lines.

    ``staged`` is the evidence stage by stage, from methods that refine it.
    """

    question: str
    graph: str
    method: str
    entities: tuple[AnsweredEntity, ...] = ()
    text: str | None = None
    interpretation: str | None = None
    retrieved: tuple[Path, ...] = field(default=(), repr=False)
    unsupported: tuple[str, ...] = ()
    reason: str | None = None
    notes: tuple[str, ...] = ()
    truncated: bool = False
    error: KgdbError | None = None
    value: AnswerValue = None
    facts: tuple[Path, ...] = field(default=(), repr=False)
    form: Mapping[str, Any] | None = field(default=None, repr=False)
    readings: tuple[QuestionReading, ...] = ()
    chain: tuple[str, ...] = field(default=(), repr=False)
    cited: tuple[Triple, ...] = field(default=(), repr=False)
    trace: tuple[Stage, ...] = field(default=(), repr=False)
    staged: StagedEvidence | None = field(default=None, repr=False)

    @property
    def kind(self) -> Kind:
        """What the answer is; see :data:`Kind`."""
        if self.error is not None:
            return "error"
        return "unknown" if self.is_empty else value_kind(self.value)

    @property
    def evidence(self) -> tuple[Path, ...]:
        """Every path shown as proof, in rank order of the answers."""
        of_entities = (path for answered in self.entities for path in answered.paths)
        return (*of_entities, *self.facts)

    @property
    def is_empty(self) -> bool:
        """Whether there is no answer; *no* and 0 are answers."""
        return not self.entities and (self.value is None or self.value == ())


Label = Literal["SUPPORTED", "REFUTED", "NOT ENOUGH EVIDENCE"]


@dataclass(frozen=True, slots=True)
class Verdict(_Outcome):
    """What a method says of a claim, with the facts for it and against it.

    ``confidence`` is from 0 to 1, ``None`` where the method has none. The rest is as in
    :class:`Answer`.
    """

    claim: str
    graph: str
    method: str
    label: Label = "NOT ENOUGH EVIDENCE"
    confidence: float | None = None
    supporting: tuple[Path, ...] = ()
    opposing: tuple[Path, ...] = ()
    interpretation: str | None = None
    retrieved: tuple[Path, ...] = field(default=(), repr=False)
    reason: str | None = None
    notes: tuple[str, ...] = ()
    error: KgdbError | None = None
    trace: tuple[Stage, ...] = field(default=(), repr=False)
    staged: StagedEvidence | None = field(default=None, repr=False)

    @property
    def kind(self) -> Literal["verdict", "error"]:
        """``verdict``, or ``error`` where there is none because judging failed."""
        return "verdict" if self.error is None else "error"

    @property
    def evidence(self) -> tuple[Path, ...]:
        """The facts for the claim, then those against it."""
        return (*self.supporting, *self.opposing)


@dataclass(frozen=True, slots=True)
class TextClaim:
    """A claim of a text: ``text`` is what stands there from character ``start`` to before ``end``.

    ``verdict.claim`` are the words that were judged, with names for pronouns.
    """

    text: str
    start: int
    end: int
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class TextVerdict:
    """The claims of a text in their order, each with its verdict."""

    graph: str
    method: str
    claims: tuple[TextClaim, ...]

    @property
    def counts(self) -> dict[Label, int]:
        """How many claims have each label, without those whose verdict is an ``error``."""
        labels = [claim.verdict.label for claim in self.claims if not claim.verdict.error]
        return {label: labels.count(label) for label in get_args(Label)}

    def to_dict(self) -> dict[str, Any]:
        """The claims and their counts as JSON-ready values, under the names of their attributes."""
        return attributes(self, "counts")

    def _repr_html_(self) -> str:
        from kgdb.result_html import to_html

        return to_html(self)


def attributes(value: Any, *properties: str) -> dict[str, Any]:
    """The fields of a dataclass, and some properties, as :func:`as_json` gives them.

    ``staged`` is left out: it repeats the evidence, for measurements.
    """
    names = [each.name for each in fields(value) if each.name != "staged"]
    return {name: as_json(getattr(value, name)) for name in (*names, *properties)}


def as_json(value: Any) -> Any:
    """JSON-ready values of anything that kgdb gives: objects have the names of its attributes.

    Steps are written ``relation`` or ``^relation``, and what JSON has no type for as text.
    """
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, KgdbError):
        return {"type": type(value).__name__, "message": value.message, "hint": value.hint}
    if is_dataclass(value) and not isinstance(value, Step):
        return attributes(value)
    if isinstance(value, Mapping):
        return {str(key): as_json(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [as_json(each) for each in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def chain_text(steps: Sequence[Step]) -> str:
    """A relation chain as one line: ``^starred_actors → directed_by``."""
    return " → ".join(str(step) for step in steps)
