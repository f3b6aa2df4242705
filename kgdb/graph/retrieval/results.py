"""What the retrieval methods of a graph give back: frozen rows, and what was cut from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Self, TypeVar

from kgdb.graph.retrieval.qualifiers import PathQualifiers
from kgdb.result_html import rows_html
from kgdb.values import Entity, Path, Step, as_json

_Row_co = TypeVar("_Row_co", covariant=True)


class Rows(tuple[_Row_co, ...]):
    """The rows found from one set of entities, best first: a tuple that knows what is missing.

    ``cut`` names the caps that left something out, in the procedures' own words (``"limit"``,
    ``"maxDegree: <id>"``, …); it is empty when the rows are everything there is. ``without_id`` are
    the element ids of nodes that were met and left out, as they have no id: only an adopted graph
    may have such.
    """

    _cut: tuple[str, ...]
    _without_id: frozenset[str]
    _kind: type[Any] | None

    def __new__(
        cls,
        rows: Iterable[_Row_co] = (),
        cut: Iterable[str] = (),
        kind: type[_Row_co] | None = None,
        without_id: Iterable[str] = (),
    ) -> Self:
        """Rows with what was cut from them; ``kind``: what the rows are, told also when none is."""
        found = super().__new__(cls, rows)
        found._cut = tuple(cut)
        found._without_id = frozenset(without_id)
        found._kind = kind or (type(found[0]) if found else None)
        return found

    @property
    def kind(self) -> type[Any] | None:
        """What the rows are: a table of no rows still has its columns."""
        return self._kind

    @property
    def cut(self) -> tuple[str, ...]:
        """The caps that left something out."""
        return self._cut

    @property
    def without_id(self) -> frozenset[str]:
        """The nodes without an id that were left out, by their element ids."""
        return self._without_id

    @property
    def truncated(self) -> bool:
        """Whether any cap left something out."""
        return bool(self._cut)

    def to_dict(self) -> dict[str, Any]:
        """The rows, and the caps that left something out, as JSON-ready values."""
        return {"rows": [as_json(each) for each in self], "cut": list(self.cut)}

    def _repr_html_(self) -> str:
        return rows_html(self, self.kind, self.cut)

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self), self._cut, self._kind, self._without_id

    def __repr__(self) -> str:
        return f"Found({super().__repr__()}, cut={self._cut!r})"


@dataclass(frozen=True, slots=True)
class Neighbor:
    """A neighbor of ``source`` (an entity id) over ``count`` parallel edges.

    Where it was reached through a mediator, ``via`` is the mediator's id and ``via_step`` the
    relation that leads on from there. ``properties`` are those of the edges, where they were asked
    for.
    """

    source: str
    step: Step
    entity: Entity
    count: int
    via: str | None = None
    via_step: Step | None = None
    properties: PathQualifiers = field(default=(), hash=False)

    @property
    def path(self) -> Path:
        """The way from the source; it and the mediator have their ids as names."""
        source = Entity(self.source, self.source)
        if self.via is None or self.via_step is None:
            return Path((source, self.entity), (self.step,))
        via = Entity(self.via, self.via)
        return Path((source, via, self.entity), (self.step, self.via_step))


@dataclass(frozen=True, slots=True)
class RelationAround:
    """A relation that ``nodes`` of the given entities have, ``count`` edges in all.

    ``via_step`` is the relation that leads on, where the first one leads to mediators.
    """

    step: Step
    nodes: int
    count: int
    via_step: Step | None = None


@dataclass(frozen=True, slots=True)
class FollowedEntity:
    """An end of a relation chain: reached from ``starts`` entities over ``count`` paths.

    ``paths`` holds the first of them, and ``properties`` for each of these the properties of its
    edges, where they were asked for.
    """

    entity: Entity
    starts: int
    count: int
    paths: tuple[Path, ...]
    properties: tuple[PathQualifiers, ...] = field(default=(), hash=False)


@dataclass(frozen=True, slots=True)
class FoundPath:
    """A path between two of the given entities.

    ``count`` edge sequences take it (parallel edges); ``hops`` is its length as ``max_hops``
    counts it: with mediators, a pass through one is one hop. ``properties`` are those of the edges,
    where they were asked for.
    """

    path: Path
    hops: int
    count: int
    properties: PathQualifiers = field(default=(), hash=False)

    @property
    def source(self) -> Entity:
        """The end that was given first."""
        return self.path.entities[0]

    @property
    def target(self) -> Entity:
        """The other end."""
        return self.path.entities[-1]


@dataclass(frozen=True, slots=True)
class BeamPath:
    """A path that a beam search kept.

    ``score`` is the sum of ``similarities``, one for each step; ``count`` edge sequences take
    the path (parallel edges). ``properties`` are those of the edges, where they were asked for.
    """

    path: Path
    score: float
    similarities: tuple[float, ...]
    count: int
    properties: PathQualifiers = field(default=(), hash=False)

    @property
    def entity(self) -> Entity:
        """Where the path ends."""
        return self.path.entities[-1]


@dataclass(frozen=True, slots=True)
class WeightedPath:
    """A path with what it costs: the sum of ``costs``, one for each step."""

    path: Path
    cost: float
    costs: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class RankedEntity:
    """An entity with its PageRank.

    ``iterations`` were run for the whole set, and ``converged`` tells whether they were enough.
    """

    entity: Entity
    score: float
    iterations: int
    converged: bool


@dataclass(frozen=True, slots=True)
class LinkedEntity:
    """An entity that a mention may mean.

    ``matched`` is the name or alias that is most like the mention, and ``reason`` what makes it so:
    ``"exact"``, ``"id"``, ``"case"``, ``"folded"``, ``"punctuation"``, ``"typo"``, ``"words"`` or
    ``"vector"``. All scores are from 0 to 1; ``vector_score`` is ``None`` where there is no vector.
    """

    entity: Entity
    score: float
    text_score: float
    vector_score: float | None
    matched: str
    reason: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that a full-text query found, with the index's score (higher is better).

    ``aliases`` are other names that it may have been found by, where they were asked for.
    """

    entity: Entity
    score: float
    aliases: tuple[str, ...] = ()

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Self:
        """A row of a statement over names."""
        return cls(Entity(row["id"], row["name"]), row["score"], tuple(row.get("aliases", ())))


@dataclass(frozen=True, slots=True)
class NamedCandidates:
    """What the full-text index finds for one text, best first.

    ``exact`` is for each of its phrases; ``misspelt`` is empty where one of these is a whole name.
    ``without_id`` are the nodes without an id among them, which are left out.
    """

    exact: Sequence[Sequence[Candidate]]
    misspelt: Sequence[Candidate]
    without_id: frozenset[str] = frozenset()

    @classmethod
    def of(cls, phrases: int, row: Mapping[str, Any], without: frozenset[str]) -> Self:
        """The row of one text with so many phrases; ``without`` are nodes that have no id."""
        exact: list[list[Candidate]] = [[] for _ in range(phrases)]
        for found in row["exact"]:
            if found["id"] not in without:
                exact[found["query"]].append(Candidate.of(found))
        misspelt = [Candidate.of(one) for one in row["misspelt"] if one["id"] not in without]
        met = {found["id"] for found in (*row["exact"], *row["misspelt"])}
        return cls(exact, misspelt, without & met)


@dataclass(frozen=True, slots=True)
class RelationInfo:
    """What the bookkeeping says of a relation; a text is ``None`` where the loader gave none.

    ``fan_out`` is how many tails a head has on average, ``fan_in`` how many heads a tail has;
    ``None`` where the graph was loaded without counting them. ``mediator_heads`` and
    ``mediator_tails``: at least half of its triples have a mediator there. ``head_labels`` and
    ``tail_labels`` count the triples by the labels of that end, most frequent first; an end with
    several labels counts for each. They are empty in a graph that was loaded. ``synonyms`` are
    words that users taught for its name.
    """

    id: str
    count: int
    text: str | None
    inverse: str | None
    question: str | None
    inverse_question: str | None
    fan_out: float | None = None
    fan_in: float | None = None
    mediator_heads: bool = False
    mediator_tails: bool = False
    head_labels: Mapping[str, int] = field(default_factory=dict, hash=False)
    tail_labels: Mapping[str, int] = field(default_factory=dict, hash=False)
    synonyms: tuple[str, ...] = ()

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Self:
        """A row of the bookkeeping, which holds labels and their counts in lists of their own."""
        values = dict(row)
        for end in ("head", "tail"):
            labels, counts = values.pop(f"{end}_labels", ()), values.pop(f"{end}_counts", ())
            values[f"{end}_labels"] = dict(zip(labels, counts, strict=True))
        return cls(**values)

    def to_row(self) -> dict[str, Any]:
        """The properties of its bookkeeping node, without the labels of an adopted graph."""
        values = asdict(self)
        del values["head_labels"], values["tail_labels"], values["synonyms"]
        return values

    def leads_to_mediators(self, *, reverse: bool) -> bool:
        """Whether a step along it, or against it, arrives at mediators."""
        return self.mediator_heads if reverse else self.mediator_tails
