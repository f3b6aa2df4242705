"""The options of the searches, each declared once: its type, reader, default and help.

A search's options are a ``TypedDict``, which a caller's type checker reads. Each entry is annotated
with a :class:`SearchOption`: how the value is read, and what holds without it. The same values go
to the procedures as their ``config`` and to the pure-Cypher twins as parameters, so a wrong one is
refused here, before anything is sent.

This module evaluates its annotations at once: reading them from text would cost start-up time.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from typing import Annotated, Any, Self, TypedDict, get_args, get_type_hints

from kgdb.errors import UsageError
from kgdb.graph import option_values as read
from kgdb.graph.retrieval.conditions import PropertyCondition, conditions
from kgdb.values import Step
from kgdb.wording import short

_UNBOUNDED = 2**63 - 1

TIES = "ties"
"""The key of the most rows that are as similar to a mention as the first."""


@dataclass(frozen=True, slots=True)
class SearchOption:
    """How a value is read, the default, and what the option does."""

    read: Callable[[str, Any], Any]
    default: Any
    help: str


_Specs = Sequence[str | Step]
_Relations = Annotated[
    _Specs,
    SearchOption(read.specs, (), "only these relations are followed; ^r: against its direction"),
]
_Exclude = Annotated[_Specs, SearchOption(read.specs, (), "relations that are not followed")]
_Direction = Annotated[
    str,
    SearchOption(
        read.direction("both", "out", "in"),
        "both",
        "out: relations are followed as they are written; in: against their direction; or both",
    ),
]
_HopDirection = Annotated[
    str,
    SearchOption(
        read.direction("out", "both"),
        "out",
        "out: each relation is followed as it is written; or both",
    ),
]
_Mediators = Annotated[
    bool, SearchOption(read.flag, False, "mediators are passed through, each as half a hop")
]
_MaxDegree = Annotated[
    int,
    SearchOption(
        read.integer(0, _UNBOUNDED),
        0,
        "a node with more relationships to follow is not passed through; 0: no limit",
    ),
]
_Labels = Annotated[
    Sequence[str], SearchOption(read.names, (), "only nodes with one of these labels are visited")
]
_Where = Annotated[
    Sequence[PropertyCondition | Mapping[str, Any]],
    SearchOption(
        conditions, (), "only relationships whose properties fulfil these conditions are followed"
    ),
]
_Properties = Annotated[
    bool, SearchOption(read.flag, False, "the rows tell the properties of their relationships")
]
_RelationsPerNode = Annotated[
    int, SearchOption(read.integer(0), 0, "relations of a node that are followed at most; 0: all")
]
_PerPair = Annotated[int, SearchOption(read.integer(0), 100, "paths of one pair at most; 0: all")]
_ROWS = "rows that are returned at most"
_Rows = Annotated[int, SearchOption(read.integer(1), 1000, _ROWS)]
_MaxLength = Annotated[
    int, SearchOption(read.integer(1, 20_000), 20_000, "characters of the script at most")
]


class TimedOptions(TypedDict, total=False):
    """Options of every call."""

    timeout_ms: Annotated[
        int,
        SearchOption(
            read.integer(0, _UNBOUNDED), 0, "milliseconds after which the call fails; 0: never"
        ),
    ]


class CallOptions(TimedOptions, total=False):
    """Options of every search.

    The copy in memory serves thousands of searches between two changes of the database. The rows
    are the same; plain Cypher has no such copy.
    """

    in_memory: Annotated[
        bool,
        SearchOption(
            read.flag, False, "the plugin reads from a copy of the graph in the server's memory"
        ),
    ]


class FollowingOptions(CallOptions, total=False):
    """Options of searches that follow relations."""

    relations: _Relations
    exclude: _Exclude
    direction: _Direction
    mediators: _Mediators
    max_degree: _MaxDegree


class VisitingOptions(FollowingOptions, total=False):
    """Options of searches that visit nodes."""

    labels: _Labels
    where: _Where
    properties: _Properties


class NeighborOptions(VisitingOptions, total=False):
    """Options of ``neighbors``."""

    limit: _Rows
    per_relation: Annotated[
        int,
        SearchOption(
            read.integer(0), 0, "rows of one source, relation and direction at most; 0: all"
        ),
    ]


class AroundOptions(FollowingOptions, total=False):
    """Options of ``relations_around``."""

    limit: Annotated[int, SearchOption(read.integer(1), 10_000, _ROWS)]


class FollowOptions(CallOptions, total=False):
    """Options of ``follow``."""

    labels: _Labels
    where: _Where
    properties: _Properties
    max_degree: _MaxDegree
    limit: _Rows
    paths: Annotated[
        int, SearchOption(read.integer(0), 5, "paths that are returned as the proof of each end")
    ]
    max_paths: Annotated[
        int, SearchOption(read.integer(0, _UNBOUNDED), 1_000_000, "paths that are searched at most")
    ]


class PathOptions(VisitingOptions, total=False):
    """Options of ``all_paths``."""

    max_hops: Annotated[int, SearchOption(read.integer(1, 10), 3, "hops of the longest path")]
    per_pair: _PerPair
    limit: _Rows
    ordered: Annotated[
        bool,
        SearchOption(
            read.flag,
            True,
            "the paths of a pair come by length, ids and relations; otherwise in any order, of "
            "which a limit keeps any, long ones too",
        ),
    ]


class ShortestOptions(VisitingOptions, total=False):
    """Options of ``shortest_paths``."""

    max_hops: Annotated[int, SearchOption(read.integer(1, 20), 4, "hops of the longest path")]
    per_pair: _PerPair
    limit: _Rows
    all: Annotated[
        bool,
        SearchOption(read.flag, True, "every shortest path of a pair is returned, not only one"),
    ]


class BeamOptions(CallOptions, total=False):
    """Options of ``beam``."""

    exclude: _Exclude
    labels: _Labels
    where: _Where
    properties: _Properties
    mediators: _Mediators
    max_degree: _MaxDegree
    direction: _HopDirection
    width: Annotated[
        int,
        SearchOption(read.integer(1, 100_000), 10, "partial paths that are kept after each hop"),
    ]
    relations_per_node: _RelationsPerNode


class CheapestOptions(TypedDict, total=False):
    """Options of ``cheapest``."""

    relations: _Relations
    exclude: _Exclude
    direction: _Direction


class PagerankOptions(CallOptions, total=False):
    """Options of ``pagerank``."""

    relations: _Relations
    exclude: _Exclude
    direction: Annotated[
        str,
        SearchOption(
            read.direction("out", "in", "both"),
            "out",
            "out: rank flows along the relations; in: against their direction; or both",
        ),
    ]
    damping_factor: Annotated[
        float, SearchOption(read.share, 0.85, "share of the rank that flows on")
    ]
    max_iterations: Annotated[int, SearchOption(read.integer(1, 100_000), 20, "iterations at most")]
    tolerance: Annotated[
        float,
        SearchOption(read.not_negative, 1e-7, "change of the ranks below which they are final"),
    ]
    source_nodes: Annotated[
        Sequence[str],
        SearchOption(
            read.sources, None, "ids of the nodes that the rank flows from; none: all nodes"
        ),
    ]
    limit: Annotated[int, SearchOption(read.integer(0), 0, f"{_ROWS}; 0: all")]


class MatchOptions(CallOptions, total=False):
    """Options of ``match``."""

    answer: Annotated[str, SearchOption(read.text, None, "variable whose entities are the answer")]
    exclude: _Exclude
    labels: _Labels
    mediators: _Mediators
    max_degree: _MaxDegree
    direction: _HopDirection
    width: Annotated[
        int,
        SearchOption(
            read.integer(1, 100_000), 100, "partial matches that are kept after each edge"
        ),
    ]
    relations_per_node: _RelationsPerNode
    limit: Annotated[int, SearchOption(read.integer(1), 10, _ROWS)]


class _ScriptOptions(TypedDict, total=False):
    """Options of every script: it always has a time limit."""

    max_length: _MaxLength
    timeout_ms: Annotated[
        int,
        SearchOption(read.integer(1, 60_000), None, "milliseconds after which the script is ended"),
    ]


class ThoughtOptions(_ScriptOptions, total=False):
    """Options of ``run_thought``."""

    max_nodes: Annotated[int, SearchOption(read.integer(1, 500), 500, "nodes at most")]
    max_relationships: Annotated[
        int, SearchOption(read.integer(0, 500), 500, "relationships at most")
    ]
    max_list_length: Annotated[
        int, SearchOption(read.integer(0, 100), 100, "items of a list at most")
    ]


class ReadOptions(_ScriptOptions, total=False):
    """Options of ``read_cypher``."""

    whole_store: Annotated[
        bool, SearchOption(read.flag, False, "the query sees the other graphs of the database, too")
    ]
    max_rows: Annotated[int, SearchOption(read.integer(1, 10_000), 1000, _ROWS)]
    max_path_length: Annotated[int, SearchOption(read.integer(1, 6), 4, "hops of a path at most")]


# Names are read from indexes, of which there is no copy in memory.
class LinkOptions(TimedOptions, total=False):
    """Options of ``link``."""

    limit: Annotated[int, SearchOption(read.integer(1), 5, "rows of a mention at most")]
    ties: Annotated[
        int,
        SearchOption(
            read.integer(0, 100_000),
            0,
            "rows beyond the limit at most that are as similar as the first, for entities of one "
            "name",
        ),
    ]
    candidates: Annotated[
        int, SearchOption(read.integer(1, 10_000), 50, "rows that are read from each index at most")
    ]
    fuzzy: Annotated[bool, SearchOption(read.flag, True, "letters of a word may differ")]
    min_score: Annotated[float, SearchOption(read.not_negative, 0.0, "score that a row needs")]
    vector_weight: Annotated[
        float, SearchOption(read.weight, 0.5, "share of the vectors in a row's score")
    ]
    labels: _Labels


def key_of(name: str) -> str:
    """The key of an option in the configuration of a procedure: ``maxHops`` for ``max_hops``."""
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


_DECLARED: dict[type[Any], Mapping[str, SearchOption]] = {}


def declared(kind: type[Any]) -> Mapping[str, SearchOption]:
    """The options that a ``TypedDict`` declares or inherits, by their names; read once."""
    if kind not in _DECLARED:
        types = get_type_hints(kind, include_extras=True)
        _DECLARED[kind] = {name: get_args(type_)[1] for name, type_ in types.items()}
    return _DECLARED[kind]


@dataclass(frozen=True, slots=True)
class Config:
    """The options of one call, by the keys of the procedures.

    ``given`` holds those that the caller gave, indexing gives any with its default.
    """

    given: Mapping[str, Any]
    _defaults: Mapping[str, Any]

    @classmethod
    def of(cls, kind: type[Any], options: Mapping[str, Any]) -> Self:
        """Check the options of one call by their ``TypedDict``; ``None`` counts as not given."""
        known = declared(kind)
        for name in options:
            if name not in known:
                near = get_close_matches(name, known, n=1)
                meant = f" Did you mean {near[0]}?" if near else ""
                raise UsageError(
                    f"There is no option {short(name)}.{meant} Options are: {', '.join(known)}."
                )
        given = {
            key_of(name): known[name].read(name, value)
            for name, value in options.items()
            if value is not None
        }
        against = next((spec for spec in given.get("relations", ()) if spec.startswith("^")), None)
        if against and "direction" in given:
            raise UsageError(
                f"relations already say a direction by '^', as in {short(against)}.",
                hint="Leave out either the '^' or the direction.",
            )
        defaults = {key_of(name): option.default for name, option in known.items()}
        return cls(MappingProxyType(given), MappingProxyType(defaults))

    def __getitem__(self, key: str) -> Any:
        return self.given[key] if key in self.given else self._defaults[key]

    def __contains__(self, key: object) -> bool:
        return key in self._defaults

    def values(self, *keys: str) -> dict[str, Any]:
        """Some of the options as parameters of a statement."""
        return {key: self[key] for key in keys}
