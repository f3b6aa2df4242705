"""The options of the retrieval methods: their names, what they may be, and their defaults.

The same values go to the procedures as their ``config`` and to the pure-Cypher twins as parameters,
so what is wrong with one is told here, before anything is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, TypedDict

from kgdb.errors import UsageError
from kgdb.graph import option_values
from kgdb.values import Step
from kgdb.wording import short

_UNBOUNDED = 2**63 - 1

TIES = "ties"
"""The cap on entities that are equally like a mention."""


class TimedOptions(TypedDict, total=False):
    """``timeout_ms``: the call fails after so many milliseconds; 0: never."""

    timeout_ms: int


class CallOptions(TimedOptions, total=False):
    """``in_memory``: the plugin reads from a copy of the graph in the server's memory.

    It is for thousands of searches between two changes of the database. The rows are the same;
    plain Cypher has no such copy.
    """

    in_memory: bool


class FollowingOptions(CallOptions, total=False):
    """What may be followed.

    ``relations`` allows only these and ``exclude`` forbids these; ``direction`` is ``"both"``,
    ``"out"`` or ``"in"``. ``max_degree``: a node with more edges to follow is not gone through.
    """

    relations: Sequence[str | Step]
    exclude: Sequence[str | Step]
    direction: str
    max_degree: int
    mediators: bool


class VisitingOptions(FollowingOptions, total=False):
    """``labels``: only nodes with one of these are visited."""

    labels: Sequence[str]


class NeighborOptions(VisitingOptions, total=False):
    """``per_relation``: most rows of one source, relation and direction; 0: all."""

    limit: int
    per_relation: int


class AroundOptions(FollowingOptions, total=False):
    """``limit``: most relations told."""

    limit: int


class FollowOptions(CallOptions, total=False):
    """``paths``: how many paths each end carries as its proof; ``max_paths``: looked at in all."""

    labels: Sequence[str]
    limit: int
    paths: int
    max_degree: int
    max_paths: int


class PathOptions(VisitingOptions, total=False):
    """``max_hops``: the longest path; ``per_pair``: most paths of one pair; 0: all."""

    max_hops: int
    per_pair: int
    limit: int


class ShortestOptions(PathOptions, total=False):
    """``all``: every shortest path of a pair, or only the first."""

    all: bool


class BeamOptions(CallOptions, total=False):
    """``width``: partial paths kept after each hop; ``relations_per_node``: followed of a node.

    ``direction`` is ``"out"``, each relation as it is written, or ``"both"``.
    """

    direction: str
    exclude: Sequence[str | Step]
    labels: Sequence[str]
    mediators: bool
    max_degree: int
    width: int
    relations_per_node: int


class CheapestOptions(TypedDict, total=False):
    """What a cheapest path may follow; see :class:`FollowingOptions`."""

    relations: Sequence[str | Step]
    exclude: Sequence[str | Step]
    direction: str


class PagerankOptions(CallOptions, total=False):
    """``source_nodes``: ids of the nodes that the rank flows from; without: from all alike."""

    relations: Sequence[str | Step]
    exclude: Sequence[str | Step]
    direction: str
    damping_factor: float
    max_iterations: int
    tolerance: float
    source_nodes: Sequence[str]
    limit: int


class MatchOptions(CallOptions, total=False):
    """``answer``: the variable that is asked for; ``width``: embeddings kept after each edge.

    ``direction`` is ``"out"``, each relation as it is written, or ``"both"``.
    """

    answer: str
    direction: str
    exclude: Sequence[str | Step]
    labels: Sequence[str]
    mediators: bool
    max_degree: int
    width: int
    limit: int
    relations_per_node: int


class ThoughtOptions(TypedDict, total=False):
    """How large a script and its graph may be, and how long it may take."""

    max_length: int
    max_nodes: int
    max_relationships: int
    max_list_length: int
    timeout_ms: int


class ReadOptions(TypedDict, total=False):
    """How long a query and its paths may be, how many rows it may give and how long it may take.

    With ``whole_store`` it sees the other graphs of the database as well.
    """

    whole_store: bool
    max_rows: int
    max_path_length: int
    max_length: int
    timeout_ms: int


class LinkOptions(TimedOptions, total=False):
    """``candidates``: asked of each index; ``fuzzy``: letters of a word may be wrong.

    ``ties``: as many rows that are as like as the first are given beyond ``limit``, as where many
    entities have one name. ``vector_weight`` is the share of the vectors in a score; ``labels`` as
    everywhere.
    """

    limit: int
    ties: int
    candidates: int
    fuzzy: bool
    min_score: float
    vector_weight: float
    labels: Sequence[str]


@dataclass(frozen=True, slots=True)
class Option:
    """One option: the key of the procedure's config, how a value is read, and the default."""

    key: str
    read: Callable[[str, Any], Any]
    default: Any


@dataclass(frozen=True, slots=True)
class Config:
    """The options of one call, by the keys of the procedures.

    ``given`` holds those that the caller gave, indexing gives any with its default.
    """

    given: Mapping[str, Any]
    _defaults: Mapping[str, Any]

    @classmethod
    def of(cls, known: Mapping[str, Option], options: Mapping[str, Any]) -> Config:
        """Check the options of one call; ``None`` counts as not given."""
        for name in options:
            if name not in known:
                near = get_close_matches(name, known, n=1)
                meant = f" Did you mean {near[0]}?" if near else ""
                raise UsageError(
                    f"There is no option {short(name)}.{meant} Options are: {', '.join(known)}."
                )
        given = {
            known[name].key: known[name].read(name, value)
            for name, value in options.items()
            if value is not None
        }
        against = next((spec for spec in given.get("relations", ()) if spec.startswith("^")), None)
        if against and "direction" in given:
            raise UsageError(
                f"relations already say a direction by '^', as in {short(against)}.",
                hint="Leave out either the '^' or the direction.",
            )
        defaults = {option.key: option.default for option in known.values()}
        return cls(MappingProxyType(given), MappingProxyType(defaults))

    def __getitem__(self, key: str) -> Any:
        return self.given[key] if key in self.given else self._defaults[key]

    def __contains__(self, key: object) -> bool:
        return key in self._defaults

    def values(self, *keys: str) -> dict[str, Any]:
        """Some of the options as parameters of a statement."""
        return {key: self[key] for key in keys}


_TIMEOUT = ("timeout_ms", Option("timeoutMs", option_values.integer(0, _UNBOUNDED), 0))
_IN_MEMORY = ("in_memory", Option("inMemory", option_values.flag, False))


def _of(*options: tuple[str, Option]) -> Mapping[str, Option]:
    return _timed(_IN_MEMORY, *options)


def _timed(*options: tuple[str, Option]) -> Mapping[str, Option]:
    return MappingProxyType(dict((_TIMEOUT, *options)))


def _script(*options: tuple[str, Option]) -> Mapping[str, Option]:
    """A script always has a time limit."""
    timeout = ("timeout_ms", Option("timeoutMs", option_values.integer(1, 60_000), None))
    return MappingProxyType(dict((*options, timeout)))


_RELATIONS = ("relations", Option("relations", option_values.specs, ()))
_EXCLUDE = ("exclude", Option("exclude", option_values.specs, ()))
_DIRECTION = (
    "direction",
    Option("direction", option_values.direction("both", "out", "in"), "both"),
)
_DIRECTION_OF_HOPS = (
    "direction",
    Option("direction", option_values.direction("out", "both"), "out"),
)
_RELATIONS_PER_NODE = (
    "relations_per_node",
    Option("relationsPerNode", option_values.integer(0), 0),
)
_LABELS = ("labels", Option("labels", option_values.names, ()))
_MEDIATORS = ("mediators", Option("mediators", option_values.flag, False))
_MAX_DEGREE = ("max_degree", Option("maxDegree", option_values.integer(0, _UNBOUNDED), 0))
_PER_PAIR = ("per_pair", Option("perPair", option_values.integer(0), 100))
_MAX_LENGTH = ("max_length", Option("maxLength", option_values.integer(1, 20_000), 20_000))
_FOLLOWING = (_RELATIONS, _EXCLUDE, _DIRECTION, _MEDIATORS, _MAX_DEGREE)


def _limit(default: int, least: int = 1) -> tuple[str, Option]:
    return "limit", Option("limit", option_values.integer(least), default)


def _width(default: int) -> tuple[str, Option]:
    return "width", Option("width", option_values.integer(1, 100_000), default)


def _hops(default: int, most: int) -> tuple[str, Option]:
    return "max_hops", Option("maxHops", option_values.integer(1, most), default)


NEIGHBORS = _of(
    *_FOLLOWING,
    _LABELS,
    _limit(1000),
    ("per_relation", Option("perRelation", option_values.integer(0), 0)),
)
AROUND = _of(*_FOLLOWING, _limit(10_000))
FOLLOW = _of(
    _LABELS,
    _MAX_DEGREE,
    _limit(1000),
    ("paths", Option("paths", option_values.integer(0), 5)),
    ("max_paths", Option("maxPaths", option_values.integer(0, _UNBOUNDED), 1_000_000)),
)
ALL_PATHS = _of(*_FOLLOWING, _LABELS, _hops(3, 10), _PER_PAIR, _limit(1000))
SHORTEST_PATHS = _of(
    *_FOLLOWING,
    _LABELS,
    _hops(4, 20),
    _PER_PAIR,
    _limit(1000),
    ("all", Option("all", option_values.flag, True)),
)
BEAM = _of(
    _EXCLUDE,
    _LABELS,
    _MEDIATORS,
    _MAX_DEGREE,
    _DIRECTION_OF_HOPS,
    _width(10),
    _RELATIONS_PER_NODE,
)
CHEAPEST = MappingProxyType(dict((_RELATIONS, _EXCLUDE, _DIRECTION)))
PAGERANK = _of(
    _RELATIONS,
    _EXCLUDE,
    ("direction", Option("direction", option_values.direction("out", "in", "both"), "out")),
    ("damping_factor", Option("dampingFactor", option_values.share, 0.85)),
    ("max_iterations", Option("maxIterations", option_values.integer(1, 100_000), 20)),
    ("tolerance", Option("tolerance", option_values.not_negative, 1e-7)),
    ("source_nodes", Option("sourceNodes", option_values.sources, None)),
    _limit(0, least=0),
)
MATCH = _of(
    ("answer", Option("answer", option_values.text, None)),
    _EXCLUDE,
    _LABELS,
    _MEDIATORS,
    _MAX_DEGREE,
    _DIRECTION_OF_HOPS,
    _width(100),
    _RELATIONS_PER_NODE,
    _limit(10),
)
THOUGHT = _script(
    _MAX_LENGTH,
    ("max_nodes", Option("maxNodes", option_values.integer(1, 500), 500)),
    ("max_relationships", Option("maxRelationships", option_values.integer(0, 500), 500)),
    ("max_list_length", Option("maxListLength", option_values.integer(0, 100), 100)),
)
READ = _script(
    ("whole_store", Option("wholeStore", option_values.flag, False)),
    ("max_rows", Option("maxRows", option_values.integer(1, 10_000), 1000)),
    ("max_path_length", Option("maxPathLength", option_values.integer(1, 6), 4)),
    _MAX_LENGTH,
)
# Names are read from indexes, of which there is no copy in memory.
LINK = _timed(
    _limit(5),
    (TIES, Option(TIES, option_values.integer(0, 100_000), 0)),
    ("candidates", Option("candidates", option_values.integer(1, 10_000), 50)),
    ("fuzzy", Option("fuzzy", option_values.flag, True)),
    ("min_score", Option("minScore", option_values.not_negative, 0.0)),
    ("vector_weight", Option("vectorWeight", option_values.weight, 0.5)),
    _LABELS,
)
