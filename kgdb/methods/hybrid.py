"""Hybrid retrieval guided by a graph of thought (GoT-R, section 3.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest
from typing import Any

from kgdb.graph import BeamPath, Found, Gathered, GatherOptions, Link, Match, Neighbor, Wanted
from kgdb.language import facts
from kgdb.methods.chains import likeness
from kgdb.methods.completing import MAX_PATHS, MOST, WHOLE, Beginning, LeftOut
from kgdb.methods.gotr_options import Options
from kgdb.methods.keys import mentioned
from kgdb.methods.sharing import share
from kgdb.methods.slots import by_mention
from kgdb.methods.thinking import (
    Part,
    Plan,
    Sightings,
    Walk,
    match_paths,
    parts,
    shown,
    single_edges,
)
from kgdb.methods.work import Work
from kgdb.values import Entity, Path, Step

_MOST_ENTITIES = 20
"""Entities between which shortest paths are looked for: their number grows with its square."""

TRIPS = 5
"""Round trips to the database that a question may take."""

_UNREAD = -1.0
"""The score of evidence whose chain reads nothing like the question."""

Way = tuple[Plan, Walk]

_NOTHING = LeftOut()


@dataclass(slots=True)
class Drawing:
    """The language model's attempts at a graph of thought, and what was wrong with the first ones.

    ``executed`` tells whether the database held the graph; see
    :class:`kgdb.graph.scripts.ThoughtRun`.
    """

    scripts: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    executed: bool = False

    def shown(self) -> dict[str, Any]:
        """The attempts as the trace keeps them; nothing where no model was asked."""
        if not self.scripts:
            return {}
        kept = {"scripts": list(self.scripts), "errors": list(self.errors)}
        return {**kept, "executed": self.executed}


@dataclass(frozen=True, slots=True)
class Thinking:
    """What was thought of a question: the language model's graph, chains of an encoder, or both.

    ``drawn`` are the relation paths of the model's graph, which ``plan`` is then; ``drawing`` is
    how the model fared at it. Of the encoder's ``chains``, best first, only one can be meant:
    ``likeness`` tells of each how well it reads like the question. Without a graph of the model's,
    ``plan`` is the first of them.
    """

    plan: Plan
    by_model: bool
    drawing: Drawing
    drawn: tuple[Way, ...] = ()
    chains: tuple[Way, ...] = ()
    likeness: tuple[float, ...] = ()

    @property
    def ways(self) -> tuple[Way, ...]:
        """All relation paths to follow, with the plan that each is of."""
        return (*self.drawn, *self.chains)

    def shown(self) -> dict[str, Any]:
        """Who drew it, and how, as the trace keeps it."""
        drawn_by = "language model" if self.by_model else "encoder"
        return {"drawn_by": drawn_by, **self.drawing.shown()}


@dataclass(frozen=True, slots=True)
class Evidence:
    """The pieces of evidence, best first.

    ``scores`` tell how well each goes with the question, where that is known. ``plan`` is what was
    followed: of several chains the first that leads anywhere. ``left_out`` is what was found and
    not kept, or cut.
    """

    paths: tuple[Path, ...]
    scores: tuple[float, ...] | None
    plan: Plan | None
    left_out: LeftOut = _NOTHING


async def retrieve(
    work: Work, links: Sequence[Link], thinking: Thinking | None, options: Options
) -> Evidence:
    """The evidence (equation 10): by the relations of the thought, and without them.

    All of it is one round trip to the database.
    """
    with work.stage("retrieve") as stage:
        aware = thinking if options.relation_aware else None
        ways = aware.ways if aware else ()
        singles = _singles(aware) if aware else []
        whole = parts(aware.plan) if aware and aware.by_model and options.match else []
        first = _first(aware, links) if aware else []
        candidates = _candidates(links, thinking, options)
        wanted = Wanted(
            [(plan.starts(w.nodes[0]), plan.hops(w)) for plan, w in (*ways, *singles)],
            [part.pattern for part in whole],
            first,
            list(candidates) if options.relation_unaware else [],
        )
        if not wanted.beams and not wanted.entities:
            return Evidence((), None, thinking.plan if thinking else None)
        gathered = await work.gather(wanted, _searches(options))
        beams = gathered.beams[: len(ways)]
        drawn = aware.drawn if aware else ()
        by_model = _best(beams[: len(drawn)], options.k1)
        by_encoder = share([_best([beam], options.k1) for beam in beams[len(drawn) :]], options.k1)
        matched = list(_matched(gathered.matches, whole, drawn))
        triples = _best(gathered.beams[len(ways) :], options.k2)
        around = [_around(candidates[near.source], near) for near in gathered.neighbors]
        unaware = await _unaware(work, gathered, around, options.k3)
        joined = list(dict.fromkeys(path for _, path in matched))[: options.k1]
        along = _in_turn(by_encoder, by_model)[: options.k1]
        # What holds together all that is named comes first; of one name alone nothing does.
        best = (along, joined) if len(links) == 1 and by_encoder else (joined, along)
        paths = tuple(dict.fromkeys((*chain.from_iterable(best), *triples, *unaware)))
        plan = _plan_followed(thinking, ways, beams)
        stage.say(
            matches=len(joined),
            paths=len(along),
            triples=len(triples),
            unaware=len(unaware),
            chains=[
                {"from": _start(of, way), "chain": _words(of, way), "found": len(found)}
                for (of, way), found in zip(ways, beams, strict=True)
            ],
        )
        if plan and thinking:
            sightings = Sightings(plan.thought)
            for way, path in (*matched, *_along(plan, ways, beams)):
                sightings.add(way, path)
            stage.say(**thinking.shown(), thought=shown(plan, sightings))
        scores = await _scores(work, paths, links, aware, beams[len(drawn) :])
        left_out = replace(
            _left_out(gathered, matched, around, options.width),
            # Without the plugin there are none.
            whole=dict(zip(first, gathered.ends, strict=False)),
        )
        return Evidence(paths, scores, plan, left_out)


def _left_out(
    gathered: Gathered,
    matched: Sequence[tuple[Walk, Path]],
    around: Sequence[Path],
    width: int,
) -> LeftOut:
    """All that was found, for what was not kept of it; and the chains of which not all was."""
    along = [found.path for beam in gathered.beams for found in beam]
    # A beam does not tell what its width left out.
    wide = [beam for beam in gathered.beams if beam.truncated or len(beam) >= width]
    cut = {found.path.steps for beam in wide for found in beam}
    if gathered.neighbors.truncated:
        cut |= {path.steps for path in around}
    between = [found.path for found in gathered.paths]
    return LeftOut(
        (*along, *(path for _, path in matched), *between, *around),
        cut,
        gathered.paths.truncated or any(found.truncated for found in gathered.matches),
        trips=TRIPS,
    )


def _searches(options: Options) -> GatherOptions:
    mediators = options.mediators
    return GatherOptions(
        beam={"width": options.width, "mediators": mediators},
        match={"width": options.width, "limit": options.k1, "mediators": mediators},
        follow={"limit": MOST, "paths": min(options.paths, MOST), "max_paths": MAX_PATHS},
        shortest={"max_hops": options.l, "limit": options.neighbors, "mediators": mediators},
        neighbors={"limit": options.neighbors, "mediators": mediators},
    )


def _first(thinking: Thinking, links: Sequence[Link]) -> list[Beginning]:
    """The best chains of either kind, from each of the entities that they may begin at; from those
    of one mention together.

    Of a drawn one that is by the relations most like its types.
    """
    together = by_mention(found.ids for found in links)
    best: list[Beginning] = [
        (
            together.get(id_, (id_,)),
            tuple(Step.parse(max(hop, key=hop.__getitem__)) for hop in plan.hops(way)),
        )
        for ways in (thinking.chains[:WHOLE], thinking.drawn[:WHOLE])
        for plan, way in ways
        if all(plan.hops(way))
        for id_ in plan.starts(way.nodes[0])
    ]
    return list(dict.fromkeys(best))[: 2 * WHOLE]


def _singles(thinking: Thinking) -> list[Way]:
    """The fixed single triples: the edges of a thought, the first hops of several chains."""
    if thinking.by_model:
        plan = thinking.plan
        return [(plan, walk) for walk in single_edges(plan.thought, plan.entities)]
    firsts = {
        (plan.entities[0], _words(plan, first)): (plan, first)
        for plan, way in reversed(thinking.chains)
        for first in [Walk(way.nodes[:2], way.edges[:1])]
    }
    return list(firsts.values())


def _candidates(
    links: Sequence[Link], thinking: Thinking | None, options: Options
) -> dict[str, Entity]:
    """The candidate entities of the question and of the thought, by id."""
    nodes = thinking.plan.entities.values() if thinking else ()
    named = [found.entities for found in links]
    entities = [e for candidates in (*named, *nodes) for e in candidates[: options.entities]]
    return {entity.id: entity for entity in list(dict.fromkeys(entities))[:_MOST_ENTITIES]}


def _matched(
    matches: Sequence[Found[Match]], whole: Sequence[Part], ways: Sequence[Way]
) -> Iterator[tuple[Walk, Path]]:
    """The embeddings of the whole thought, best first, as paths."""
    for part, found in zip(whole, matches, strict=True):
        inside = [way for _, way in ways if way.edges[0][0] in part.edges]
        for match in found:
            yield from match_paths(match, part, inside)


def _plan_followed(
    thinking: Thinking | None, ways: Sequence[Way], beams: Sequence[Found[BeamPath]]
) -> Plan | None:
    if thinking is None or thinking.by_model:
        return thinking.plan if thinking else None
    found = (plan for (plan, _), beam in zip(ways, beams, strict=True) if beam)
    return next(found, thinking.plan)


def _along(
    plan: Plan, ways: Sequence[Way], beams: Sequence[Found[BeamPath]]
) -> Iterator[tuple[Walk, Path]]:
    """What was found along the walks of one plan."""
    for (of, way), found in zip(ways, beams, strict=True):
        if of is plan:
            yield from ((way, kept.path) for kept in found)


async def _scores(
    work: Work,
    paths: Sequence[Path],
    links: Sequence[Link],
    thinking: Thinking | None,
    beams: Sequence[Found[BeamPath]],
) -> tuple[float, ...] | None:
    """How well the chain of each path reads like the question, whoever drew it; below all where
    it does not begin at what the question names.

    A chain from one of several mentions explains a part of the question only: nothing is known.
    """
    if thinking is None or len(links) != 1 or not beams:
        return None
    best: dict[Path, float] = {}
    for score, beam in zip(thinking.likeness, beams, strict=True):
        for kept in beam:
            best.setdefault(kept.path, score)
    others = [path for path in paths if path not in best]
    for path, found in zip(others, await likeness(work, mentioned(links[0]), others), strict=True):
        best[path] = _UNREAD if found is None else found
    return tuple(best[path] for path in paths)


def _best(beams: Iterable[Found[BeamPath]], most: int) -> list[Path]:
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


async def _unaware(work: Work, gathered: Gathered, around: Sequence[Path], most: int) -> list[Path]:
    """Shortest paths and neighbours (equation 8), those that the reranker puts first (9)."""
    evidence = list(dict.fromkeys((*(found.path for found in gathered.paths), *around)))
    texts = [facts(path, work.graph.relations) for path in evidence]
    scores = await work.rerank(work.question, texts)
    order = sorted(range(len(evidence)), key=lambda i: (-scores[i], i))
    return [evidence[i] for i in order[:most]]


def _around(source: Entity, found: Neighbor) -> Path:
    if found.via is None or found.via_step is None:
        return Path((source, found.entity), (found.step,))
    between = Entity(found.via, found.via)
    return Path((source, between, found.entity), (found.step, found.via_step))


def _start(plan: Plan, way: Walk) -> str:
    return plan.thought.nodes[way.nodes[0]].name


def _words(plan: Plan, way: Walk) -> str:
    """The types along a walk, ``^`` against their direction."""
    edges = plan.thought.edges
    return " → ".join(f"{'^' * reverse}{edges[edge].type}" for edge, reverse in way.edges)
