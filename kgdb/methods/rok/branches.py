"""Branches around the key entities (RoK, §4.2.2): neighbour triples, and relation chains.

A question that names one entity alone has no second end for a path. The paper leaves its way to a
random walk or to further calls; here the candidate chains that explain the question are followed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from kgdb.graph import FollowedEntity, Rows
from kgdb.methods.answering.completion import MAX_ANSWERS, MAX_PATHS, WHOLE, Beginning
from kgdb.methods.chains.candidate_chains import Subject
from kgdb.methods.chains.candidate_relations import GuessedCandidates
from kgdb.methods.chains.key_entities import KeyEntity
from kgdb.methods.chains.search import ChainSearch
from kgdb.methods.context import QuestionContext
from kgdb.methods.rok.options import Options
from kgdb.values import Path, Step


@dataclass(frozen=True, slots=True)
class Branches:
    """What lies around the key entities: the paths of each chain that reads like the question, best
    first, with the chain's score; and neighbours.

    ``others`` were found and not kept; of the chains in ``cut`` not all ends were kept, and
    ``whole`` has all of some.
    """

    chains: Sequence[tuple[Sequence[Path], float]] = ()
    neighbors: Sequence[Path] = ()
    others: Sequence[Path] = ()
    cut: Collection[tuple[Step, ...]] = ()
    whole: Mapping[Beginning, Rows[FollowedEntity]] = field(default_factory=dict)


async def chain_branches(
    ctx: QuestionContext, keys: Sequence[KeyEntity], main: Sequence[Path], options: Options
) -> Branches | None:
    """Chains from the entities of the question, and their neighbours, in one search.

    ``None`` where nothing is known to follow and the database may not be asked.
    """
    with ctx.stage("widen") as stage:
        named = subjects_of(keys)
        # One round trip follows what is found.
        source = GuessedCandidates(ctx, ctx.budget.round_trips_left(reserve=1))
        subjects = [Subject.of(ctx.question, key) for key in named]
        candidates = await ChainSearch(source).run(ctx, subjects, options.max_hops)
        # What the database was not asked about may lead nowhere.
        candidates = candidates[: 3 * options.chains]
        searched = {(candidate.key, candidate.steps) for candidate in candidates}
        on_main = _steps_of(main)
        near = [
            (key, (step,))
            for key in named
            for step in sorted(source.guess((key, ())))
            if options.neighbors
            and (key, (step,)) not in searched
            and not any((id_, step) in on_main for id_ in key.ids)
        ]
        ends_asked = [(candidate.key, candidate.steps) for candidate in candidates] + near
        if not ends_asked:
            return None
        # Where a chain is most like the question, all it leads to may be asked for.
        most = max(MAX_ANSWERS, options.ends_per_chain)
        limits = [most if i < WHOLE else options.ends_per_chain for i in range(len(ends_asked))]
        found = await ctx.graph.follow_each(
            [(key.ids, chain) for key, chain in ends_asked],
            limits,
            paths=1,
            max_paths=MAX_PATHS,
        )
        ends = [
            [path for end in each[: options.ends_per_chain] for path in end.paths] for each in found
        ]
        leading = [i for i in range(len(candidates)) if ends[i]]
        chosen = leading[: options.chains]
        stage.record(chains=[candidates[i].to_trace(ctx) | {"ends": len(ends[i])} for i in chosen])
        # A single hop that is not similar enough to be followed still is a neighbour.
        one_hop = [i for i in leading[options.chains :] if len(candidates[i].steps) == 1]
        around = (
            one_hop + list(range(len(candidates), len(ends_asked))) if options.neighbors else []
        )
        return Branches(
            [(ends[i], candidates[i].score) for i in chosen],
            [path for i in around for path in ends[i][: options.per_relation]],
            [path for i in around for path in ends[i][options.per_relation :]],
            {
                chain
                for (_, chain), each in zip(ends_asked, found, strict=True)
                if each.truncated or len(each) > options.ends_per_chain
            },
            {
                (key.ids, chain): each
                for (key, chain), each in zip(ends_asked[:WHOLE], found, strict=False)
            },
        )


async def neighbor_branches(
    ctx: QuestionContext, keys: Sequence[KeyEntity], main: Sequence[Path], options: Options
) -> Branches:
    """§4.2.2 (a): the neighbours of the key entities on main paths, but by a relation that the
    main path takes there.
    """
    if not options.neighbors:
        return Branches()
    on_main = _steps_of(main)
    through = {entity.id for path in main for entity in path.entities}
    nodes = [id_ for key in keys for id_ in key.ids if id_ in through or not main]
    with ctx.stage("neighbours") as stage:
        found = await ctx.graph.neighbors(nodes, per_relation=options.per_relation)
        entities = {entity.id: entity for key in keys for entity in key.entities}
        paths = [
            Path((entities[row.source], row.entity), (row.step,))
            for row in found
            if (row.source, row.step) not in on_main
        ]
        stage.record(neighbors=len(paths), cut=list(found.cut))
        cut = {path.steps for path in paths} if found.truncated else ()
        return Branches(neighbors=paths, cut=cut)


def subjects_of(keys: Sequence[KeyEntity]) -> list[KeyEntity]:
    """What the question is about: what it names, or else what was thought of."""
    return [key for key in keys if key.source == "question"] or list(keys)


def _steps_of(main: Sequence[Path]) -> set[tuple[str, Step]]:
    """The entities on main paths with the relations that the paths take there."""
    taken = set()
    for path in main:
        for place, step in enumerate(path.steps):
            taken.add((path.entities[place].id, step))
            back = step.back
            taken.add((path.entities[place + 1].id, back))
    return taken
