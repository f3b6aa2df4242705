"""RoK, *Reasoning on Efficient Knowledge Paths*: Algorithm 1 of the paper.

The language model thinks about the question step by step (§4.1). The entities that the question and
this thought mention are the key entities. All paths between any two of them make a sub-graph;
PageRank (equations 2 and 3) and the number of key entities on a path choose the main paths
(§4.2.1). The neighbor triples of key entities, filtered in one call, are branches of these
(§4.2.2). From both the language model answers (§4.3).

A question that names a single entity has no second end for a path. For it the paper uses a random
walk or further calls. This implementation follows the relation chains that fit the question best
(:mod:`kgdb.methods.chains.chain_search`), which needs neither.

Without a language model the key entities are those of the question, similarity filters the
neighbors, and the best answer slot answers (:mod:`kgdb.methods.answering.extraction`).
"""

from __future__ import annotations

from collections.abc import Sequence

from kgdb.language import CompletionRequest, facts
from kgdb.language.text.lines import one_line
from kgdb.language.text.prompts import language_of, prompt
from kgdb.methods.answering.abstention import cannot_verify, no_entity_named
from kgdb.methods.answering.allocation import allocate_by_rank
from kgdb.methods.answering.completion import DiscardedEvidence
from kgdb.methods.answering.extraction import BestSlot, Evidence, extract_answers
from kgdb.methods.answering.joins import paths_between
from kgdb.methods.answering.llm_reader import LLMReader
from kgdb.methods.answering.preference import PMIScorer
from kgdb.methods.answering.slot_choice import SlotChoice, chooses, strategy_for
from kgdb.methods.chains.chain_search import score_paths
from kgdb.methods.chains.key_entities import (
    NAMES_SCHEMA,
    NAMES_TOKENS,
    KeyEntity,
    find_key_entities,
    names_in,
)
from kgdb.methods.context import QuestionContext
from kgdb.methods.rok.branches import chain_branches, neighbor_branches, question_keys
from kgdb.methods.rok.neighbor_filter import choose_facts
from kgdb.methods.rok.path_ranking import Rank, choose, keys_on, rank_paths
from kgdb.methods.rok.rok_options import Options
from kgdb.values import Answer, Path, Verdict

METHOD = "rok"

_CALLS = 4
"""Calls of the language model that a question may cost."""

_ROUND_TRIPS = 5
"""Round trips to the database that a question may cost."""

_THOUGHT_TOKENS = 256

_UNSCORED = -1.0
"""The score of evidence that does not begin at an entity of the question."""


class RoK:
    """Answers questions over one graph; see the module for what it does."""

    name = METHOD

    def __init__(self, options: Options | None = None) -> None:
        self._options = options or Options()
        self._preference = PMIScorer()

    async def answer(self, ctx: QuestionContext) -> Answer:
        """The entities that answer the question, with the paths that prove each."""
        ctx.budget.limit(calls=_CALLS, round_trips=_ROUND_TRIPS)
        thought = await self._think(ctx)
        keys = await self._key_entities(ctx, thought)
        if not keys:
            return no_entity_named(ctx, METHOD)
        options = self._options
        between = await paths_between(
            ctx,
            keys,
            max_hops=options.max_hops,
            per_pair=options.per_pair,
            max_degree=options.max_degree,
        )
        ranked_by = self._rank_for(keys, between)
        main = await self._main_paths(ctx, keys, between, ranked_by)
        branches = None
        if self._widens(keys, main):
            branches = await chain_branches(ctx, keys, main, self._options)
        if branches is None:
            branches = await neighbor_branches(ctx, keys, main, self._options)
        neighbors = await self._filtered(ctx, branches.neighbors)
        discarded = DiscardedEvidence(
            (*between, *branches.neighbors, *branches.others),
            branches.cut,
            between.truncated,
            branches.whole,
            may_follow=True,
        )
        return await self._read(ctx, keys, main, branches.chains, neighbors, discarded)

    async def verify(self, ctx: QuestionContext) -> Verdict:
        """The paper answers questions only."""
        raise cannot_verify(METHOD, ctx.question)

    async def _think(self, ctx: QuestionContext) -> str:
        """§4.1: the language model's own answer, step by step; even if wrong, it names entities."""
        if not ctx.llm.available or not self._options.think:
            return ""
        with ctx.stage("think") as stage:
            text = prompt("rok_think", language_of(ctx.question), question=ctx.question)
            reply = await ctx.llm.complete(CompletionRequest(text, max_tokens=_THOUGHT_TOKENS))
            stage.record(thought=reply.text)
            return reply.text

    async def _key_entities(self, ctx: QuestionContext, thought: str) -> list[KeyEntity]:
        """§4.1: the entities that question and thought mention, linked to the graph."""
        with ctx.stage("key entities") as stage:
            names: list[str] = []
            if ctx.llm.available:
                text = prompt(
                    "rok_entities",
                    language_of(ctx.question),
                    question=ctx.question,
                    thought=thought,
                )
                reply = await ctx.llm.complete(
                    CompletionRequest(text, NAMES_TOKENS, schema=NAMES_SCHEMA)
                )
                names = names_in(reply.text)
                if not names:
                    ctx.note("The language model named no key entities.")
            keys = await find_key_entities(ctx, thought, names, limit=self._options.key_entities)
            stage.record(names=names, keys=[key.to_trace() for key in keys])
            return keys

    def _rank_for(self, keys: Sequence[KeyEntity], paths: Sequence[Path]) -> Rank:
        """How to rank the paths.

        If there are at most ``main_paths``, all are main paths whatever their ranks. If the method
        also follows chains, PageRank's round trip is then free for them.
        """
        spared = len(paths) <= self._options.main_paths and self._widens(keys, paths)
        return "none" if spared else self._options.rank

    async def _main_paths(
        self,
        ctx: QuestionContext,
        keys: Sequence[KeyEntity],
        paths: Sequence[Path],
        ranked_by: Rank,
    ) -> list[Path]:
        """§4.2.1, (a) to (c): the top k paths, bucket by bucket."""
        if not paths:
            return []
        options = self._options
        with ctx.stage("main paths") as stage:
            ranks = await rank_paths(
                ctx, paths, ranked_by, damping=options.damping, seed=options.seed
            )
            counts = keys_on(paths, keys)
            chosen = choose(ranks, counts if options.buckets else None, options.main_paths)
            stage.record(
                ranked_by=ranked_by,
                main=[
                    {"path": _text(paths[i]), "keys": counts[i], "rank": round(ranks[i], 6)}
                    for i in chosen
                ],
            )
            return [paths[i] for i in chosen]

    def _widens(self, keys: Sequence[KeyEntity], main: Sequence[Path]) -> bool:
        in_question = sum(key.source == "question" for key in keys)
        alone = in_question < 2 or not main
        return self._options.widen == "always" or (self._options.widen == "alone" and alone)

    async def _filtered(self, ctx: QuestionContext, neighbors: Sequence[Path]) -> list[Path]:
        """§4.2.2 (b): the triples that are relevant to the whole question: one call."""
        options = self._options
        if not neighbors or options.neighbors_kept == 0:
            return []
        with ctx.stage("filter neighbors") as stage:
            texts = [one_line(facts(path, ctx.graph.relations)) for path in neighbors]
            scores = await ctx.encoder.similarities(ctx.question, texts)
            order = sorted(range(len(texts)), key=lambda i: (-scores[i], i))
            chosen = order
            if ctx.llm.available and not chooses(ctx, options.inference):
                chosen = await choose_facts(ctx, texts, order[: options.neighbors_judged])
            relevant = [neighbors[i] for i in chosen[: options.neighbors_kept]]
            stage.record(of=len(neighbors), kept=[_text(path) for path in relevant])
            return relevant

    async def _read(
        self,
        ctx: QuestionContext,
        keys: Sequence[KeyEntity],
        main: Sequence[Path],
        chains: Sequence[tuple[Sequence[Path], float]],
        neighbors: Sequence[Path],
        discarded: DiscardedEvidence,
    ) -> Answer:
        """§4.3: the answer from main paths and branches."""
        options = self._options
        # The model reads all main paths and neighbors, and a share of each chain.
        capacity = max(0, options.max_evidence - len(main) - len(neighbors))
        first = allocate_by_rank([paths for paths, _ in chains], capacity)
        rest = [path for paths, _ in chains for path in paths]
        evidence = list(dict.fromkeys([*main, *first, *neighbors, *rest]))
        mentions = [key.mention for key in keys if key.source == "question"]
        # If paths join the entities of the question, the encoder scores all evidence: a chain from
        # one of several entities fits only a part of the question.
        by_chains = bool(chains) and (len(mentions) < 2 or not main)
        scores = await _path_scores(ctx, keys, chains, evidence) if by_chains else None
        best_slot = BestSlot(options.min_similarity)
        strategy = strategy_for(
            ctx,
            options.inference,
            SlotChoice(
                self._preference, mentions, options.llm_weight, best_slot, options.allow_unsupported
            ),
            LLMReader(
                options.max_evidence,
                complete_sets=options.complete_sets,
                fall_back=best_slot if options.fall_back else None,
                allow_unsupported=options.allow_unsupported,
            ),
        )
        with ctx.stage("answer") as stage:
            answer = await extract_answers(
                ctx,
                METHOD,
                Evidence(
                    evidence,
                    [key.ids for key in keys if key.source == "question"],
                    scores,
                    discarded,
                ),
                strategy,
                max_proofs=options.paths,
            )
            stage.record(
                evidence={"main": len(main), "chains": len(rest), "neighbors": len(neighbors)},
                answers=[answered.entity.name for answered in answer.entities[:20]],
            )
            return answer


async def _path_scores(
    ctx: QuestionContext,
    keys: Sequence[KeyEntity],
    chains: Sequence[tuple[Sequence[Path], float]],
    evidence: Sequence[Path],
) -> list[float]:
    """How well each path of the evidence fits the question, main paths and neighbors included."""
    scores = {path: score for paths, score in reversed(chains) for path in paths}
    others = [path for path in evidence if path not in scores]
    for key in question_keys(keys):
        of_others = await score_paths(ctx, key, others)
        scores |= {path: s for path, s in zip(others, of_others, strict=True) if s is not None}
    return [scores.get(path, _UNSCORED) for path in evidence]


def _text(path: Path) -> str:
    """A path as the trace shows it."""
    text = path.entities[0].name
    for step, entity in zip(path.steps, path.entities[1:], strict=True):
        text += f" –{step}→ {entity.name}"
    return text
