"""The graph of one question: what many questions ask of it at one time is one statement."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, TypeVar, Unpack

from kgdb.errors import PluginMissing
from kgdb.graph import (
    Graph,
    GraphInfo,
    GroundedRun,
    Links,
    Qualifiers,
    ReadAnswer,
    SearchOptions,
    SearchRequest,
    SearchResult,
    link,
    qualifiers_of,
    search_all,
    search_round_trips,
)
from kgdb.graph.forms import Form, FormResult, form_to_dict
from kgdb.graph.forms.named_values import NamedValue
from kgdb.graph.retrieval import retrieval_options as options
from kgdb.graph.retrieval.batch import Chain, Hop
from kgdb.graph.retrieval.results import (
    BeamPath,
    FollowedEntity,
    FoundPath,
    LinkedEntity,
    Neighbor,
    RankedEntity,
    RelationAround,
    RelationInfo,
    Rows,
)
from kgdb.graph.retrieval.retrieval_options import TIES
from kgdb.graph.schema import Schema
from kgdb.methods.context.batching import BatchedCall, Charge, split_like
from kgdb.methods.context.mentions import settled
from kgdb.values import Step, Triple

_R = TypeVar("_R")
_C = TypeVar("_C")

STARTS_IN_PLAIN = 50
"""Entities of one name that chains are followed from without the plugin."""


class BatchedGraph:
    """The retrieval methods of a graph, for one question among many.

    ``charge`` counts what the question has used. ``without_id`` are the nodes without an
    id that were met, and left out; ``capped`` are the names that more entities have than are taken,
    and ``left_unfollowed`` is of how many entities only :data:`STARTS_IN_PLAIN` were followed.
    """

    def __init__(self, graph: Graph, charge: Charge) -> None:
        self._graph = graph
        self._charge = charge
        self.without_id: frozenset[str] = frozenset()
        self.capped: frozenset[str] = frozenset()
        self.left_unfollowed = 0
        self._mentions: dict[str, Links] = {}

    @property
    def name(self) -> str:
        """The name of the graph."""
        return self._graph.name

    @property
    def info(self) -> GraphInfo:
        """What the database keeps about the graph."""
        return self._graph.info

    @property
    def relations(self) -> Mapping[str, RelationInfo]:
        """The relations of the graph, by id; read from the database once."""
        return self._graph.relations

    @property
    def search_round_trips(self) -> int:
        """The round trips that :meth:`search_all` takes."""
        return search_round_trips(self._graph)

    def leads_to_mediators(self, step: Step) -> bool:
        """Whether what the step arrives at only stands for a fact of several parts."""
        info = self.relations.get(step.relation)
        return info is not None and info.leads_to_mediators(reverse=step.reverse)

    async def mentions(self, question: str) -> Links:
        """The entities that a text names word for word; see :func:`kgdb.graph.link`.

        Of one text they are looked up once: to understand a question takes them, too. See
        :func:`settled`, too.
        """
        if question not in self._mentions:
            (links,) = await self.mentions_all([question])
            self._mentions[question] = await settled(self, question, links)
        return self._mentions[question]

    async def mentions_all(
        self, texts: Sequence[str], *, exact: bool = True, misspelt: bool = True
    ) -> list[Links]:
        """The same for several texts; ``exact`` and ``misspelt`` as there."""

        def run(batch: Sequence[Sequence[str]]) -> list[list[Links]]:
            flat = [text for texts in batch for text in texts]
            results = link(self._graph, flat, exact=exact, misspelt=misspelt)
            # Every question goes on with them: were they read by each for itself, each would wait
            # for a database that is gone by then.
            _ = self._graph.relations
            return split_like(results, batch)

        results = await BatchedCall(("mentions", exact, misspelt), texts, run, self._charge)
        self.without_id |= _without_id(results)
        self._cap(one.mention for links in results for one in links if one.truncated)
        return results

    def _limited_starts(
        self, chains: Sequence[tuple[Sequence[str], _C]]
    ) -> Sequence[tuple[Sequence[str], _C]]:
        """Chains from so many entities as are followed: plain Cypher keeps every path of each."""
        largest = max((len(nodes) for nodes, _ in chains), default=0)
        if largest <= STARTS_IN_PLAIN or self._graph.database.uses_plugin:
            return chains
        self.left_unfollowed = max(self.left_unfollowed, largest)
        return [(nodes[:STARTS_IN_PLAIN], chain) for nodes, chain in chains]

    def _cap(self, names: Iterable[str]) -> None:
        self.capped |= set(names)

    async def link(
        self,
        mentions: Sequence[str],
        vectors: Sequence[Sequence[float] | None] | None = None,
        **config: Unpack[options.LinkOptions],
    ) -> list[Rows[LinkedEntity]]:
        """For each mention the entities it may mean; see :meth:`kgdb.graph.Graph.link`."""
        if not mentions:
            return []

        def run(
            batch: Sequence[tuple[Sequence[str], Sequence[Sequence[float] | None]]],
        ) -> list[list[Rows[LinkedEntity]]]:
            texts = [mention for mentions, _ in batch for mention in mentions]
            numbers = [vector for _, vectors in batch for vector in vectors]
            results = self._graph.batch.link(
                texts, numbers if any(v is not None for v in numbers) else None, **config
            )
            return split_like(results, [mentions for mentions, _ in batch])

        asked = (mentions, vectors or [None] * len(mentions))
        results = await self._ask("link", config, asked, run)
        self._cap(name for name, rows in zip(mentions, results, strict=True) if TIES in rows.cut)
        return results

    async def neighbors(
        self, nodes: Sequence[str], **config: Unpack[options.NeighborOptions]
    ) -> Rows[Neighbor]:
        """See :meth:`kgdb.graph.Graph.neighbors`."""
        return await self._search(self._graph.batch.neighbors, config, nodes)

    async def relations_around(
        self, nodes: Sequence[str], **config: Unpack[options.AroundOptions]
    ) -> Rows[RelationAround]:
        """See :meth:`kgdb.graph.Graph.relations_around`."""
        return await self._search(self._graph.batch.relations_around, config, nodes)

    async def candidate_relations(
        self, nodes: Sequence[str], chains: Sequence[Sequence[Step]]
    ) -> list[tuple[RelationAround, ...]]:
        """See :meth:`kgdb.graph.Graph.candidate_relations`."""
        return await self.candidate_relations_each([(nodes, chain) for chain in chains])

    async def candidate_relations_each(
        self, chains: Sequence[tuple[Sequence[str], Sequence[Step]]]
    ) -> list[tuple[RelationAround, ...]]:
        """The same for chains that each have entities to begin with."""
        if not chains:
            return []
        chains = self._limited_starts(chains)

        def run(
            batch: Sequence[Sequence[tuple[Sequence[str], Sequence[Step]]]],
        ) -> list[list[tuple[RelationAround, ...]]]:
            return split_like(
                self._graph.batch.candidate_relations([c for chains in batch for c in chains]),
                batch,
            )

        return await BatchedCall("menus", chains, run, self._charge)

    async def follow(
        self, nodes: Sequence[str], chain: Chain, **config: Unpack[options.FollowOptions]
    ) -> Rows[FollowedEntity]:
        """See :meth:`kgdb.graph.Graph.follow`."""
        (results,) = await self.follow_all(nodes, [chain], **config)
        return results

    async def follow_all(
        self,
        nodes: Sequence[str],
        chains: Sequence[Chain],
        **config: Unpack[options.FollowOptions],
    ) -> list[Rows[FollowedEntity]]:
        """Each chain from the same entities."""
        return await self.follow_each([(nodes, chain) for chain in chains], **config)

    async def follow_each(
        self,
        chains: Sequence[tuple[Sequence[str], Chain]],
        limits: Sequence[int] | None = None,
        **config: Unpack[options.FollowOptions],
    ) -> list[Rows[FollowedEntity]]:
        """Each chain from its own entities, to as many ends as ``limits`` has for it."""
        if not chains:
            return []
        chains = self._limited_starts(chains)

        def run(
            batch: Sequence[tuple[Sequence[tuple[Sequence[str], Chain]], Sequence[int] | None]],
        ) -> list[list[Rows[FollowedEntity]]]:
            flat = [pair for chains, _ in batch for pair in chains]
            all_limits = [limit for _, limits in batch for limit in limits or ()]
            results = self._graph.batch.follow(
                [nodes for nodes, _ in flat],
                [chain for _, chain in flat],
                limits=all_limits or None,
                **config,
            )
            return split_like(results, [chains for chains, _ in batch])

        kind = "follow" if limits is None else "follow to limits"
        return await self._ask(kind, config, (chains, limits), run)

    async def all_paths(
        self, nodes: Sequence[str], **config: Unpack[options.PathOptions]
    ) -> Rows[FoundPath]:
        """See :meth:`kgdb.graph.Graph.all_paths`."""
        return await self._search(self._graph.batch.all_paths, config, nodes)

    async def shortest_paths(
        self, nodes: Sequence[str], **config: Unpack[options.ShortestOptions]
    ) -> Rows[FoundPath]:
        """See :meth:`kgdb.graph.Graph.shortest_paths`."""
        return await self._search(self._graph.batch.shortest_paths, config, nodes)

    async def beam(
        self, nodes: Sequence[str], hops: Sequence[Hop], **config: Unpack[options.BeamOptions]
    ) -> Rows[BeamPath]:
        """See :meth:`kgdb.graph.Graph.beam`."""
        return await self._search(self._graph.batch.beam, config, nodes, hops)

    async def pagerank(
        self,
        nodes: Sequence[str],
        relationships: Sequence[tuple[str, str]],
        **config: Unpack[options.PagerankOptions],
    ) -> Rows[RankedEntity]:
        """See :meth:`kgdb.graph.Graph.pagerank`."""
        return await self._search(self._graph.batch.pagerank, config, nodes, relationships)

    async def ground_thought(
        self,
        script: str,
        *,
        link: options.LinkOptions | None = None,
        **config: Unpack[options.ThoughtOptions],
    ) -> GroundedRun:
        """See :meth:`kgdb.graph.Graph.ground_thoughts`."""
        results = await self._ask(
            "ground_thought",
            {"link": link, "run": config},
            script,
            lambda scripts: self._graph.ground_thoughts(scripts, link=link, **config),
        )
        self._cap(results.capped)
        return results

    async def all_relations(self) -> Mapping[str, RelationInfo]:
        """As :attr:`relations`; where they are not read yet, by one question for all that wait."""
        return await BatchedCall(
            "relations", None, lambda batch: [self._graph.relations for _ in batch], self._charge
        )

    async def schema(self) -> Schema:
        """What the graph has; read once, and by one question for all that wait for it."""
        return await BatchedCall(
            "schema", None, lambda batch: [self._graph.schema for _ in batch], self._charge
        )

    async def query(self, form: Form) -> FormResult:
        """See :meth:`kgdb.graph.Graph.query`. Each form is a statement of its own."""
        return await self._ask(
            "query",
            {"form": form_to_dict(form)},
            form,
            lambda forms: [self._graph.query(each) for each in forms],
        )

    async def read_cypher(self, script: str, **config: Unpack[options.ReadOptions]) -> ReadAnswer:
        """See :meth:`kgdb.graph.Graph.read_cypher`. Each query is a statement of its own.

        Raises :class:`PluginMissing` where the server's plugin is not there, or not to be used.
        """

        def run(scripts: Sequence[str]) -> list[ReadAnswer]:
            if not self._graph.database.uses_plugin:
                raise PluginMissing(
                    "Queries of a language model are run by the kgdb plugin, which this connection "
                    "does not use.",
                    hint="kgdb status tells whether the server has it; --plugin auto uses it.",
                )
            return [self._graph.read_cypher(each, **config) for each in scripts]

        return await self._ask("read_cypher", config, script, run)

    async def qualifiers(self, triples: Sequence[Triple]) -> list[tuple[Qualifiers, ...]]:
        """See :func:`kgdb.graph.qualifiers_of`."""
        if not triples:
            return []

        def run(batch: Sequence[Sequence[Triple]]) -> list[list[tuple[Qualifiers, ...]]]:
            flat = [triple for triples in batch for triple in triples]
            return split_like(qualifiers_of(self._graph.database, self.info, flat), batch)

        return await BatchedCall("qualifiers", triples, run, self._charge)

    async def named(
        self, ids: Sequence[str], texts: Sequence[str]
    ) -> tuple[dict[str, list[str]], list[NamedValue]]:
        """The labels of entities, and the values of properties among texts in lower case."""

        def run(
            batch: Sequence[tuple[Sequence[str], Sequence[str]]],
        ) -> list[tuple[dict[str, list[str]], list[NamedValue]]]:
            return [self._graph.named_in_text(*each) for each in batch]

        return await self._ask("named", {"ids": ids, "texts": texts}, (ids, texts), run)

    async def search_all(
        self, request: SearchRequest, search_options: SearchOptions
    ) -> SearchResult:
        """See :func:`kgdb.graph.search_all`."""
        return await self._ask(
            "search_all",
            asdict(search_options),
            request,
            lambda batch: search_all(self._graph, batch, search_options),
        )

    async def _search(
        self, search: Callable[..., Sequence[_R]], config: Mapping[str, Any], *arguments: Any
    ) -> _R:
        """A search of the batch, whose arguments become lists with those of each question."""

        def run(batch: Sequence[Sequence[Any]]) -> Sequence[_R]:
            return search(*map(list, zip(*batch, strict=True)), **config)

        return await self._ask(search.__name__, config, arguments, run)

    async def _ask(
        self,
        kind: str,
        config: Mapping[str, Any],
        arguments: Any,
        run: Callable[[Sequence[Any]], Sequence[_R]],
    ) -> _R:
        """A retrieval call: those with the same options go out together."""
        group = (kind, json.dumps(config, sort_keys=True, default=str))
        result: _R = await BatchedCall(group, arguments, run, self._charge)
        self.without_id |= _without_id(result)
        return result


def _without_id(result: object) -> frozenset[str]:
    """The nodes without an id that were left out of what the database gave."""
    match result:
        case Rows() | SearchResult() | GroundedRun() | Links():
            return result.without_id
        case list():
            return frozenset[str]().union(*map(_without_id, result))
    return frozenset()
