"""Hybrid retrieval guided by a graph of thought (GoT-R, section 3.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from kgdb.graph import Link, Match, SearchOptions, SearchRequest, SearchResult
from kgdb.graph.retrieval.results import BeamPath, Neighbor, Rows
from kgdb.language import facts
from kgdb.methods.answering.allocation import allocate_by_rank
from kgdb.methods.answering.answer_slots import by_mention
from kgdb.methods.answering.completion import (
    MAX_ANSWERS,
    MAX_PATHS,
    WHOLE,
    Beginning,
    DiscardedEvidence,
)
from kgdb.methods.answering.extraction import Evidence
from kgdb.methods.chains.chain_search import score_paths
from kgdb.methods.chains.key_entities import key_entity_of
from kgdb.methods.context import QuestionContext
from kgdb.methods.gotr.gotr_options import Options
from kgdb.methods.gotr.thought_plan import PlannedPath, ThoughtPlan
from kgdb.methods.gotr.thoughts import (
    ConnectedPattern,
    EdgeMatches,
    GroundedThought,
    RelationPath,
    connected_patterns,
    match_paths,
    single_edges,
    thought_to_trace,
)
from kgdb.values import Entity, Path

_MAX_ENTITIES = 20
"""Entities that the search for shortest paths joins: the number of pairs grows with the square."""

_UNSCORED = -1.0
"""The score of evidence that does not begin at the entity of the question."""


@dataclass(frozen=True, slots=True)
class HybridEvidence:
    """The evidence, and its thought: of several chains, the first that has ends."""

    evidence: Evidence
    grounded: GroundedThought | None


async def retrieve(
    ctx: QuestionContext, links: Sequence[Link], thought_plan: ThoughtPlan | None, options: Options
) -> HybridEvidence:
    """The evidence (equation 10): relation-aware (5 to 7) and relation-unaware (8 and 9).

    It costs one round trip to the database.
    """
    with ctx.stage("retrieve") as stage:
        followed = thought_plan if options.relation_aware else None
        planned = followed.planned_paths if followed else ()
        singles = _single_triples(followed) if followed else []
        patterns = (
            connected_patterns(followed.grounded)
            if followed and followed.by_model and options.match
            else []
        )
        chains = _best_chains(followed, links) if followed else []
        entities = _candidates(links, thought_plan, options)
        request = SearchRequest(
            [
                (grounded.starts(path.nodes[0]), grounded.hops(path))
                for grounded, path in (*planned, *singles)
            ],
            [part.pattern for part in patterns],
            chains,
            list(entities) if options.relation_unaware else [],
        )
        mentions = [link.ids for link in links]
        if not request.beams and not request.entities:
            grounded = thought_plan.grounded if thought_plan else None
            return HybridEvidence(Evidence((), mentions), grounded)
        result = await ctx.graph.search_all(request, _search_options(options))
        beams, single_beams = result.beams[: len(planned)], result.beams[len(planned) :]
        drawn = followed.drawn if followed else ()
        matched = list(_matched(result.matches, patterns, drawn))
        around = [_neighbor_path(entities[near.source], near) for near in result.neighbors]
        along, by_encoder = _along_relation_paths(beams, len(drawn), options.k1)
        joined = list(dict.fromkeys(path for _, path in matched))[: options.k1]
        # Matches of the whole pattern come first, unless the question has a single entity to join.
        aware = [*along, *joined] if len(links) == 1 and by_encoder else [*joined, *along]
        triples = _best(single_beams, options.k2)
        unaware = await _relation_unaware(ctx, result, around, options.k3)
        paths = tuple(dict.fromkeys((*aware, *triples, *unaware)))
        stage.record(
            matches=len(joined),
            paths=len(along),
            triples=len(triples),
            unaware=len(unaware),
            chains=[
                {"from": _start(thought, path), "chain": _types(thought, path), "found": len(beam)}
                for (thought, path), beam in zip(planned, beams, strict=True)
            ],
        )
        grounded = _grounded(thought_plan, planned, beams)
        if grounded and thought_plan:
            edges = EdgeMatches(grounded.thought)
            for relation_path, path in (*matched, *_along(grounded, planned, beams)):
                edges.add(relation_path, path)
            stage.record(**thought_plan.to_trace(), thought=thought_to_trace(grounded, edges))
        scores = await _scores(ctx, paths, links, followed, beams[len(drawn) :])
        discarded = replace(
            _discarded(result, matched, around, options.width),
            # Without the plugin there are none.
            whole=dict(zip(chains, result.ends, strict=False)),
        )
        return HybridEvidence(Evidence(paths, mentions, scores, discarded), grounded)


def _along_relation_paths(
    beams: Sequence[Rows[BeamPath]], drawn: int, limit: int
) -> tuple[list[Path], bool]:
    """The best ``limit`` paths along relation paths (5 to 7), and whether any are the encoder's.

    The first ``drawn`` beams are those of the model's graph.
    """
    by_model = _best(beams[:drawn], limit)
    by_encoder = allocate_by_rank([_best([beam], limit) for beam in beams[drawn:]], limit)
    return _interleaved(by_encoder, by_model)[:limit], bool(by_encoder)


def _discarded(
    result: SearchResult,
    matched: Sequence[tuple[RelationPath, Path]],
    around: Sequence[Path],
    width: int,
) -> DiscardedEvidence:
    """All paths of the search, and the chains with ends that a limit cut off."""
    along = [row.path for beam in result.beams for row in beam]
    # A full beam may have left paths out: it does not report that.
    wide = [beam for beam in result.beams if beam.truncated or len(beam) >= width]
    cut = {row.path.steps for beam in wide for row in beam}
    if result.neighbors.truncated:
        cut |= {path.steps for path in around}
    between = [row.path for row in result.paths]
    return DiscardedEvidence(
        (*along, *(path for _, path in matched), *between, *around),
        cut,
        result.paths.truncated or any(rows.truncated for rows in result.matches),
        may_follow=True,
    )


def _search_options(options: Options) -> SearchOptions:
    mediators = options.mediators
    return SearchOptions(
        beam={"width": options.width, "mediators": mediators},
        match={"width": options.width, "limit": options.k1, "mediators": mediators},
        follow={
            "limit": MAX_ANSWERS,
            "paths": min(options.paths, MAX_ANSWERS),
            "max_paths": MAX_PATHS,
        },
        shortest={"max_hops": options.l, "limit": options.max_neighbors, "mediators": mediators},
        neighbors={"limit": options.max_neighbors, "mediators": mediators},
    )


def _best_chains(thought_plan: ThoughtPlan, links: Sequence[Link]) -> list[Beginning]:
    """The best chains of either kind, with the entities at which they may begin.

    A chain of the model's graph takes the relation most similar to each of its types.
    """
    ids_of_mention = by_mention(link.ids for link in links)
    best: list[Beginning] = [
        (
            ids_of_mention.get(id_, (id_,)),
            tuple(max(hop, key=hop.__getitem__) for hop in grounded.hops(relation_path)),
        )
        for planned_paths in (thought_plan.chains[:WHOLE], thought_plan.drawn[:WHOLE])
        for grounded, relation_path in planned_paths
        if all(grounded.hops(relation_path))
        for id_ in grounded.starts(relation_path.nodes[0])
    ]
    return list(dict.fromkeys(best))[: 2 * WHOLE]


def _single_triples(thought_plan: ThoughtPlan) -> list[PlannedPath]:
    """The fixed single triples: the edges of a thought, the first hops of several chains."""
    if thought_plan.by_model:
        grounded = thought_plan.grounded
        return [
            (grounded, relation_path)
            for relation_path in single_edges(grounded.thought, grounded.entities)
        ]
    firsts = {
        (grounded.entities[0], _types(grounded, first)): (grounded, first)
        for grounded, relation_path in reversed(thought_plan.chains)
        for first in [RelationPath(relation_path.nodes[:2], relation_path.edges[:1])]
    }
    return list(firsts.values())


def _candidates(
    links: Sequence[Link], thought_plan: ThoughtPlan | None, options: Options
) -> dict[str, Entity]:
    """The candidate entities of the question and of the thought, by id."""
    nodes = thought_plan.grounded.entities.values() if thought_plan else ()
    mentioned = [link.entities for link in links]
    entities = [
        e for candidates in (*mentioned, *nodes) for e in candidates[: options.entities_per_node]
    ]
    return {entity.id: entity for entity in list(dict.fromkeys(entities))[:_MAX_ENTITIES]}


def _matched(
    matches: Sequence[Rows[Match]],
    whole: Sequence[ConnectedPattern],
    planned_paths: Sequence[PlannedPath],
) -> Iterator[tuple[RelationPath, Path]]:
    """The embeddings of the whole thought, best first, as paths."""
    for part, rows in zip(whole, matches, strict=True):
        inside = [
            relation_path
            for _, relation_path in planned_paths
            if relation_path.edges[0][0] in part.edges
        ]
        for match in rows:
            yield from match_paths(match, part, inside)


def _grounded(
    thought_plan: ThoughtPlan | None,
    planned_paths: Sequence[PlannedPath],
    beams: Sequence[Rows[BeamPath]],
) -> GroundedThought | None:
    if thought_plan is None or thought_plan.by_model:
        return thought_plan.grounded if thought_plan else None
    followed = (grounded for (grounded, _), beam in zip(planned_paths, beams, strict=True) if beam)
    return next(followed, thought_plan.grounded)


def _along(
    grounded: GroundedThought,
    planned_paths: Sequence[PlannedPath],
    beams: Sequence[Rows[BeamPath]],
) -> Iterator[tuple[RelationPath, Path]]:
    """The paths along the relation paths of one thought."""
    for (thought, relation_path), beam in zip(planned_paths, beams, strict=True):
        if thought is grounded:
            yield from ((relation_path, row.path) for row in beam)


async def _scores(
    ctx: QuestionContext,
    paths: Sequence[Path],
    links: Sequence[Link],
    thought_plan: ThoughtPlan | None,
    beams: Sequence[Rows[BeamPath]],
) -> tuple[float, ...] | None:
    """How well the chain of each path fits the question; lowest if it begins elsewhere.

    ``None`` for a question with several mentions: a chain from one of them fits only a part of it.
    """
    if thought_plan is None or len(links) != 1 or not beams:
        return None
    best: dict[Path, float] = {}
    for score, beam in zip(thought_plan.chain_scores, beams, strict=True):
        for row in beam:
            best.setdefault(row.path, score)
    others = [path for path in paths if path not in best]
    chain_scores = await score_paths(ctx, key_entity_of(links[0]), others)
    for path, chain_score in zip(others, chain_scores, strict=True):
        best[path] = _UNSCORED if chain_score is None else chain_score
    return tuple(best[path] for path in paths)


def _best(beams: Iterable[Rows[BeamPath]], limit: int) -> list[Path]:
    """The paths of the largest scores (equation 7); of equal scores, first those with new ends."""
    rows = sorted((row for beam in beams for row in beam), key=lambda row: -row.score)
    ends: set[tuple[float, Entity]] = set()
    order = []
    for index, row in enumerate(rows):
        end = (row.score, row.entity)
        order.append((-row.score, end in ends, index))
        ends.add(end)
    paths = (rows[index].path for _, _, index in sorted(order))
    return list(dict.fromkeys(paths))[:limit]


def _interleaved(first: Sequence[Path], second: Sequence[Path]) -> list[Path]:
    """The paths of both in turn, so that a short prefix has paths of both kinds."""
    pairs = zip_longest(first, second)
    return list(dict.fromkeys(path for pair in pairs for path in pair if path is not None))


async def _relation_unaware(
    ctx: QuestionContext, result: SearchResult, around: Sequence[Path], limit: int
) -> list[Path]:
    """Shortest paths and neighbors (equation 8), the best of them by the encoder (9)."""
    evidence = list(dict.fromkeys((*(row.path for row in result.paths), *around)))
    texts = [facts(path, ctx.graph.relations) for path in evidence]
    scores = await ctx.encoder.similarities(ctx.question, texts)
    order = sorted(range(len(evidence)), key=lambda i: (-scores[i], i))
    return [evidence[i] for i in order[:limit]]


def _neighbor_path(source: Entity, neighbor: Neighbor) -> Path:
    if neighbor.via is None or neighbor.via_step is None:
        return Path((source, neighbor.entity), (neighbor.step,))
    mediator = Entity(neighbor.via, neighbor.via)
    return Path((source, mediator, neighbor.entity), (neighbor.step, neighbor.via_step))


def _start(grounded: GroundedThought, relation_path: RelationPath) -> str:
    return grounded.thought.nodes[relation_path.nodes[0]].name


def _types(grounded: GroundedThought, relation_path: RelationPath) -> str:
    """The types along a relation path, ``^`` before a type against its direction."""
    edges = grounded.thought.edges
    return " → ".join(f"{'^' * reverse}{edges[edge].type}" for edge, reverse in relation_path.edges)
