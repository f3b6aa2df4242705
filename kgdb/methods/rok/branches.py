"""Branches around the key entities (RoK, §4.2.2): neighbor triples, and relation chains.

A question that names a single entity has no second end for a path. For it the paper uses a random
walk or further calls. This implementation follows the candidate chains that explain the question.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from kgdb.graph.retrieval.results import FollowedEntity, Rows
from kgdb.methods.answering.completion import MAX_ANSWERS, MAX_PATHS, WHOLE, Beginning
from kgdb.methods.chains.candidate_chains import Subject
from kgdb.methods.chains.candidate_relations import GuessedCandidates
from kgdb.methods.chains.chain_search import ChainSearch
from kgdb.methods.chains.key_entities import KeyEntity
from kgdb.methods.context import QuestionContext
from kgdb.methods.rok.rok_options import Options
from kgdb.values import Path, Step


@dataclass(frozen=True, slots=True)
class Branches:
    """The paths around the key entities.

    ``chains`` are the chains that fit the question, best first: the paths of each with its score.
    ``neighbors`` are single facts, and ``others`` are facts that were retrieved and discarded.
    ``cut`` are the chains with ends that a limit cut off; ``whole`` has all ends of some chains.
    """

    chains: Sequence[tuple[Sequence[Path], float]] = ()
    neighbors: Sequence[Path] = ()
    others: Sequence[Path] = ()
    cut: Collection[tuple[Step, ...]] = ()
    whole: Mapping[Beginning, Rows[FollowedEntity]] = field(default_factory=dict)


async def chain_branches(
    ctx: QuestionContext, keys: Sequence[KeyEntity], main: Sequence[Path], options: Options
) -> Branches | None:
    """Chains from the entities of the question, and their neighbors, in one search.

    ``None`` if no chain is known and the budget allows no query for candidates.
    """
    with ctx.stage("widen") as stage:
        starts = question_keys(keys)
        # One round trip follows the chains.
        source = GuessedCandidates(ctx, ctx.budget.round_trips_left(reserve=1))
        subjects = [Subject.of(ctx.question, key) for key in starts]
        search = ChainSearch(source)
        candidates = await search.run(ctx, subjects, options.max_hops)
        # Guessed chains may lead nowhere.
        candidates = candidates[: 3 * options.chains]
        searched = {(candidate.key, candidate.steps) for candidate in candidates}
        on_main = _steps_on(main)
        near = [
            (key, (step,))
            for key in starts
            for step in sorted(source.guess((key, ())))
            if options.neighbors
            and (key, (step,)) not in searched
            and not any((id_, step) in on_main for id_ in key.ids)
        ]
        chains_to_follow = [(candidate.key, candidate.steps) for candidate in candidates] + near
        if not chains_to_follow:
            return None
        # All ends of the chains most similar to the question are retrieved.
        maximum = max(MAX_ANSWERS, options.ends_per_chain)
        limits = [
            maximum if i < WHOLE else options.ends_per_chain for i in range(len(chains_to_follow))
        ]
        rows = await ctx.graph.follow_each(
            [(key.ids, chain) for key, chain in chains_to_follow],
            limits,
            paths=1,
            max_paths=MAX_PATHS,
        )
        ends = [
            [path for end in each[: options.ends_per_chain] for path in end.paths] for each in rows
        ]
        leading = [i for i in range(len(candidates)) if ends[i]]
        chosen = leading[: options.chains]
        stage.record(chains=[candidates[i].to_trace(ctx) | {"ends": len(ends[i])} for i in chosen])
        # A single hop that is not among the best chains is a neighbor.
        one_hop = [i for i in leading[options.chains :] if len(candidates[i].steps) == 1]
        around = (
            one_hop + list(range(len(candidates), len(chains_to_follow)))
            if options.neighbors
            else []
        )
        return Branches(
            [(ends[i], candidates[i].score) for i in chosen],
            [path for i in around for path in ends[i][: options.per_relation]],
            [path for i in around for path in ends[i][options.per_relation :]],
            {
                chain
                for (_, chain), each in zip(chains_to_follow, rows, strict=True)
                if each.truncated or len(each) > options.ends_per_chain
            },
            {
                (key.ids, chain): each
                for (key, chain), each in zip(chains_to_follow[:WHOLE], rows, strict=False)
            },
        )


async def neighbor_branches(
    ctx: QuestionContext, keys: Sequence[KeyEntity], main: Sequence[Path], options: Options
) -> Branches:
    """§4.2.2 (a): the neighbors of the key entities on main paths, without those by a relation
    that the main path takes there.
    """
    if not options.neighbors:
        return Branches()
    on_main = _steps_on(main)
    through = {entity.id for path in main for entity in path.entities}
    nodes = [id_ for key in keys for id_ in key.ids if id_ in through or not main]
    with ctx.stage("neighbors") as stage:
        rows = await ctx.graph.neighbors(nodes, per_relation=options.per_relation)
        entities = {entity.id: entity for key in keys for entity in key.entities}
        paths = [
            Path((entities[row.source], row.entity), (row.step,))
            for row in rows
            if (row.source, row.step) not in on_main
        ]
        stage.record(neighbors=len(paths), cut=list(rows.cut))
        cut = {path.steps for path in paths} if rows.truncated else ()
        return Branches(neighbors=paths, cut=cut)


def question_keys(keys: Sequence[KeyEntity]) -> list[KeyEntity]:
    """The key entities that the question mentions; if there are none, those of the thought."""
    return [key for key in keys if key.source == "question"] or list(keys)


def _steps_on(main: Sequence[Path]) -> set[tuple[str, Step]]:
    """The ids of entities on main paths, each with a step that a path takes there."""
    steps = set()
    for path in main:
        for index, step in enumerate(path.steps):
            steps.add((path.entities[index].id, step))
            steps.add((path.entities[index + 1].id, step.back))
    return steps
