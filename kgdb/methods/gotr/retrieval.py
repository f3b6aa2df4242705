"""Hybrid retrieval guided by a graph of thought (GoT-R, section 3.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest
from typing import Any

from kgdb.graph import (
    BeamPath,
    Link,
    Match,
    Neighbor,
    Rows,
    SearchOptions,
    SearchRequest,
    SearchResult,
)
from kgdb.language import facts
from kgdb.methods.answering.allocation import allocate_by_rank
from kgdb.methods.answering.answer_slots import by_mention
from kgdb.methods.answering.completion import MAX_PATHS, MOST, WHOLE, Beginning, DiscardedEvidence
from kgdb.methods.chains.key_entities import mentioned
from kgdb.methods.chains.search import likeness
from kgdb.methods.context.question import QuestionContext
from kgdb.methods.gotr.options import Options
from kgdb.methods.gotr.thoughts import (
    ConnectedPattern,
    EdgeMatches,
    GroundedThought,
    RelationPath,
    connected_patterns,
    match_paths,
    shown,
    single_edges,
)
from kgdb.values import Entity, Path, Step

_MOST_ENTITIES = 20
"""Entities between which shortest paths are looked for: their number grows with its square."""

TRIPS = 5
"""Round trips to the database that a question may take."""

_UNREAD = -1.0
"""The score of evidence whose chain reads nothing like the question."""

PlannedPath = tuple[GroundedThought, RelationPath]

_NOTHING = DiscardedEvidence()


@dataclass(slots=True)
class ThoughtAttempts:
    """The language model's attempts at a graph of thought, and what was wrong with the first ones.

    ``executed`` tells whether the database held the graph; see
    :class:`kgdb.graph.thoughts.scripts.ThoughtRun`.
    """

    scripts: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    executed: bool = False

    def to_trace(self) -> dict[str, Any]:
        """The attempts as the trace keeps them; nothing where no model was asked."""
        if not self.scripts:
            return {}
        kept = {"scripts": list(self.scripts), "errors": list(self.errors)}
        return {**kept, "executed": self.executed}


@dataclass(frozen=True, slots=True)
class ThoughtPlan:
    """What was thought of a question: the language model's graph, chains of an encoder, or both.

    ``drawn`` are the relation paths of the model's graph, which ``grounded`` is then; ``attempts`` is
    how the model fared at it. Of the encoder's ``chains``, best first, only one can be meant:
    ``likeness`` tells of each how well it reads like the question. Without a graph of the model's,
    ``grounded`` is the first of them.
    """

    grounded: GroundedThought
    by_model: bool
    attempts: ThoughtAttempts
    drawn: tuple[PlannedPath, ...] = ()
    chains: tuple[PlannedPath, ...] = ()
    likeness: tuple[float, ...] = ()

    @property
    def planned_paths(self) -> tuple[PlannedPath, ...]:
        """All relation paths to follow, with the plan that each is of."""
        return (*self.drawn, *self.chains)

    def to_trace(self) -> dict[str, Any]:
        """Who drew it, and how, as the trace keeps it."""
        drawn_by = "language model" if self.by_model else "encoder"
        return {"drawn_by": drawn_by, **self.attempts.to_trace()}


@dataclass(frozen=True, slots=True)
class Evidence:
    """The pieces of evidence, best first.

    ``scores`` tell how well each goes with the question, where that is known. ``grounded`` is what was
    followed: of several chains the first that leads anywhere. ``discarded`` is what was found and
    not kept, or cut.
    """

    paths: tuple[Path, ...]
    scores: tuple[float, ...] | None
    grounded: GroundedThought | None
    discarded: DiscardedEvidence = _NOTHING


async def retrieve(
    ctx: QuestionContext, links: Sequence[Link], thought_plan: ThoughtPlan | None, options: Options
) -> Evidence:
    """The evidence (equation 10): by the relations of the thought, and without them.

    All of it is one round trip to the database.
    """
    with ctx.stage("retrieve") as stage:
        aware = thought_plan if options.relation_aware else None
        planned_paths = aware.planned_paths if aware else ()
        singles = _singles(aware) if aware else []
        whole = (
            connected_patterns(aware.grounded) if aware and aware.by_model and options.match else []
        )
        first = _first(aware, links) if aware else []
        candidates = _candidates(links, thought_plan, options)
        wanted = SearchRequest(
            [
                (grounded.starts(w.nodes[0]), grounded.hops(w))
                for grounded, w in (*planned_paths, *singles)
            ],
            [part.pattern for part in whole],
            first,
            list(candidates) if options.relation_unaware else [],
        )
        if not wanted.beams and not wanted.entities:
            return Evidence((), None, thought_plan.grounded if thought_plan else None)
        gathered = await ctx.search_all(wanted, _searches(options))
        beams = gathered.beams[: len(planned_paths)]
        drawn = aware.drawn if aware else ()
        by_model = _best(beams[: len(drawn)], options.k1)
        by_encoder = allocate_by_rank(
            [_best([beam], options.k1) for beam in beams[len(drawn) :]], options.k1
        )
        matched = list(_matched(gathered.matches, whole, drawn))
        triples = _best(gathered.beams[len(planned_paths) :], options.k2)
        around = [_around(candidates[near.source], near) for near in gathered.neighbors]
        unaware = await _unaware(ctx, gathered, around, options.k3)
        joined = list(dict.fromkeys(path for _, path in matched))[: options.k1]
        along = _in_turn(by_encoder, by_model)[: options.k1]
        # What holds together all that is named comes first; of one name alone nothing does.
        best = (along, joined) if len(links) == 1 and by_encoder else (joined, along)
        paths = tuple(dict.fromkeys((*chain.from_iterable(best), *triples, *unaware)))
        grounded = _plan_followed(thought_plan, planned_paths, beams)
        stage.record(
            matches=len(joined),
            paths=len(along),
            triples=len(triples),
            unaware=len(unaware),
            chains=[
                {
                    "from": _start(of, relation_path),
                    "chain": _words(of, relation_path),
                    "found": len(found),
                }
                for (of, relation_path), found in zip(planned_paths, beams, strict=True)
            ],
        )
        if grounded and thought_plan:
            sightings = EdgeMatches(grounded.thought)
            for relation_path, path in (*matched, *_along(grounded, planned_paths, beams)):
                sightings.add(relation_path, path)
            stage.record(**thought_plan.to_trace(), thought=shown(grounded, sightings))
        scores = await _scores(ctx, paths, links, aware, beams[len(drawn) :])
        discarded = replace(
            _left_out(gathered, matched, around, options.width),
            # Without the plugin there are none.
            whole=dict(zip(first, gathered.ends, strict=False)),
        )
        return Evidence(paths, scores, grounded, discarded)


def _left_out(
    gathered: SearchResult,
    matched: Sequence[tuple[RelationPath, Path]],
    around: Sequence[Path],
    width: int,
) -> DiscardedEvidence:
    """All that was found, for what was not kept of it; and the chains of which not all was."""
    along = [found.path for beam in gathered.beams for found in beam]
    # A beam does not tell what its width left out.
    wide = [beam for beam in gathered.beams if beam.truncated or len(beam) >= width]
    cut = {found.path.steps for beam in wide for found in beam}
    if gathered.neighbors.truncated:
        cut |= {path.steps for path in around}
    between = [found.path for found in gathered.paths]
    return DiscardedEvidence(
        (*along, *(path for _, path in matched), *between, *around),
        cut,
        gathered.paths.truncated or any(found.truncated for found in gathered.matches),
        trips=TRIPS,
    )


def _searches(options: Options) -> SearchOptions:
    mediators = options.mediators
    return SearchOptions(
        beam={"width": options.width, "mediators": mediators},
        match={"width": options.width, "limit": options.k1, "mediators": mediators},
        follow={"limit": MOST, "paths": min(options.paths, MOST), "max_paths": MAX_PATHS},
        shortest={"max_hops": options.l, "limit": options.neighbors, "mediators": mediators},
        neighbors={"limit": options.neighbors, "mediators": mediators},
    )


def _first(thought_plan: ThoughtPlan, links: Sequence[Link]) -> list[Beginning]:
    """The best chains of either kind, from each of the entities that they may begin at; from those
    of one mention together.

    Of a drawn one that is by the relations most like its types.
    """
    of_mention = by_mention(found.ids for found in links)
    best: list[Beginning] = [
        (
            of_mention.get(id_, (id_,)),
            tuple(
                Step.parse(max(hop, key=hop.__getitem__)) for hop in grounded.hops(relation_path)
            ),
        )
        for planned_paths in (thought_plan.chains[:WHOLE], thought_plan.drawn[:WHOLE])
        for grounded, relation_path in planned_paths
        if all(grounded.hops(relation_path))
        for id_ in grounded.starts(relation_path.nodes[0])
    ]
    return list(dict.fromkeys(best))[: 2 * WHOLE]


def _singles(thought_plan: ThoughtPlan) -> list[PlannedPath]:
    """The fixed single triples: the edges of a thought, the first hops of several chains."""
    if thought_plan.by_model:
        grounded = thought_plan.grounded
        return [
            (grounded, relation_path)
            for relation_path in single_edges(grounded.thought, grounded.entities)
        ]
    firsts = {
        (grounded.entities[0], _words(grounded, first)): (grounded, first)
        for grounded, relation_path in reversed(thought_plan.chains)
        for first in [RelationPath(relation_path.nodes[:2], relation_path.edges[:1])]
    }
    return list(firsts.values())


def _candidates(
    links: Sequence[Link], thought_plan: ThoughtPlan | None, options: Options
) -> dict[str, Entity]:
    """The candidate entities of the question and of the thought, by id."""
    nodes = thought_plan.grounded.entities.values() if thought_plan else ()
    named = [found.entities for found in links]
    entities = [e for candidates in (*named, *nodes) for e in candidates[: options.entities]]
    return {entity.id: entity for entity in list(dict.fromkeys(entities))[:_MOST_ENTITIES]}


def _matched(
    matches: Sequence[Rows[Match]],
    whole: Sequence[ConnectedPattern],
    planned_paths: Sequence[PlannedPath],
) -> Iterator[tuple[RelationPath, Path]]:
    """The embeddings of the whole thought, best first, as paths."""
    for part, found in zip(whole, matches, strict=True):
        inside = [
            relation_path
            for _, relation_path in planned_paths
            if relation_path.edges[0][0] in part.edges
        ]
        for match in found:
            yield from match_paths(match, part, inside)


def _plan_followed(
    thought_plan: ThoughtPlan | None,
    planned_paths: Sequence[PlannedPath],
    beams: Sequence[Rows[BeamPath]],
) -> GroundedThought | None:
    if thought_plan is None or thought_plan.by_model:
        return thought_plan.grounded if thought_plan else None
    found = (grounded for (grounded, _), beam in zip(planned_paths, beams, strict=True) if beam)
    return next(found, thought_plan.grounded)


def _along(
    grounded: GroundedThought,
    planned_paths: Sequence[PlannedPath],
    beams: Sequence[Rows[BeamPath]],
) -> Iterator[tuple[RelationPath, Path]]:
    """What was found along the walks of one plan."""
    for (of, relation_path), found in zip(planned_paths, beams, strict=True):
        if of is grounded:
            yield from ((relation_path, kept.path) for kept in found)


async def _scores(
    ctx: QuestionContext,
    paths: Sequence[Path],
    links: Sequence[Link],
    thought_plan: ThoughtPlan | None,
    beams: Sequence[Rows[BeamPath]],
) -> tuple[float, ...] | None:
    """How well the chain of each path reads like the question, whoever drew it; below all where
    it does not begin at what the question names.

    A chain from one of several mentions explains a part of the question only: nothing is known.
    """
    if thought_plan is None or len(links) != 1 or not beams:
        return None
    best: dict[Path, float] = {}
    for score, beam in zip(thought_plan.likeness, beams, strict=True):
        for kept in beam:
            best.setdefault(kept.path, score)
    others = [path for path in paths if path not in best]
    for path, found in zip(others, await likeness(ctx, mentioned(links[0]), others), strict=True):
        best[path] = _UNREAD if found is None else found
    return tuple(best[path] for path in paths)


def _best(beams: Iterable[Rows[BeamPath]], most: int) -> list[Path]:
    """The paths of the largest scores (equation 7); among equals first those with other ends."""
    kept = sorted((found for beam in beams for found in beam), key=lambda found: -found.score)
    seen: set[tuple[float, Entity]] = set()
    order = []
    for place, found in enumerate(kept):
        end = (found.score, found.entity)
        order.append((-found.score, end in seen, place))
        seen.add(end)
    paths = (kept[place].path for _, _, place in sorted(order))
    return list(dict.fromkeys(paths))[:most]


def _in_turn(some: Sequence[Path], others: Sequence[Path]) -> list[Path]:
    """The first of each, then the second of each, and so on: whoever reads few sees both kinds."""
    pairs = zip_longest(some, others)
    return list(dict.fromkeys(path for pair in pairs for path in pair if path is not None))


async def _unaware(
    ctx: QuestionContext, gathered: SearchResult, around: Sequence[Path], most: int
) -> list[Path]:
    """Shortest paths and neighbours (equation 8), those that the reranker puts first (9)."""
    evidence = list(dict.fromkeys((*(found.path for found in gathered.paths), *around)))
    texts = [facts(path, ctx.graph.relations) for path in evidence]
    scores = await ctx.rerank(ctx.question, texts)
    order = sorted(range(len(evidence)), key=lambda i: (-scores[i], i))
    return [evidence[i] for i in order[:most]]


def _around(source: Entity, found: Neighbor) -> Path:
    if found.via is None or found.via_step is None:
        return Path((source, found.entity), (found.step,))
    between = Entity(found.via, found.via)
    return Path((source, between, found.entity), (found.step, found.via_step))


def _start(grounded: GroundedThought, relation_path: RelationPath) -> str:
    return grounded.thought.nodes[relation_path.nodes[0]].name


def _words(grounded: GroundedThought, relation_path: RelationPath) -> str:
    """The types along a walk, ``^`` against their direction."""
    edges = grounded.thought.edges
    return " → ".join(f"{'^' * reverse}{edges[edge].type}" for edge, reverse in relation_path.edges)
