"""GoT-R: graph-of-thought guided reasoning (Huang et al., 2025).

Section 3: *select* atomic relations for the atomic questions of a question (3.2); have the language
model draw a *graph of thought* of them in Cypher, which the database runs in a sandbox (3.3);
*retrieve* by its relations, along its paths (equations 5 to 7) and as a whole pattern, and without
them, by shortest paths and neighbours (8 and 9); *answer* from all of it (10 and 11).

What differs: the pattern search (``kgdb.got.match``) finds joins, which paths alone do not; an
edge may be followed against its direction; names are matched by the full-text index; and the chains
of relations that fit the question best are followed beside the thought, or in its place where there
is no language model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from kgdb.errors import ModelError, ModelUnavailable, PluginMissing
from kgdb.graph import Link, Thought
from kgdb.graph.linking.mentions import SAME_NAME
from kgdb.language import Completion, CompletionRequest
from kgdb.language.text.json_replies import list_schema, texts_in
from kgdb.language.text.lines import one_line
from kgdb.language.text.prompts import language_of, prompt
from kgdb.methods.answering.abstention import cannot_verify, unnamed
from kgdb.methods.answering.extraction import AnswerStrategy, BestSlot, extract_answers
from kgdb.methods.answering.llm_reader import LLMReader
from kgdb.methods.answering.preference import PMIScorer
from kgdb.methods.answering.slot_choice import SlotChoice, strategy_for
from kgdb.methods.chains.candidate_chains import CandidateChain, Subject
from kgdb.methods.chains.candidate_relations import GuessedCandidates
from kgdb.methods.chains.key_entities import mentioned
from kgdb.methods.chains.search import ChainSearch
from kgdb.methods.context import QuestionContext
from kgdb.methods.gotr.atomic import (
    Selected,
    decompose,
    ground_relations,
    select,
    texts_of,
)
from kgdb.methods.gotr.grammar import thought_grammar
from kgdb.methods.gotr.options import Options
from kgdb.methods.gotr.retrieval import ThoughtAttempts, ThoughtPlan, retrieve
from kgdb.methods.gotr.thoughts import (
    GroundedThought,
    chain_thought,
    relation_paths,
    thought_to_trace,
)
from kgdb.values import Answer, Entity, Step, Verdict
from kgdb.wording import short

METHOD = "gotr"

_LONGEST = 10_000
"""Characters of a question that are shown."""
_SCRIPT_TOKENS = 400
_SCRIPT_SHOWN = 1_500
"""Characters of a refused script that the model is shown again."""
_MOST_NODES = 40
_CALLS = 4
"""Calls of the language model for one question: three, and the repair of its thought."""
_ROUND_TRIPS = 5
"""Round trips to the database for one question."""
_MOST_WALKS = 24
_MOST_TOPICS = 3
"""Mentions of the question from which chains are tried."""
_ANSWER_TOKENS = 200
_ANSWERS = list_schema("answers", 20)
_LIKE_A_NAME = 0.8
"""How like an entity's name a node's name has to be (0 to 1)."""


class GoTR:
    """Answers questions over one graph; see the module for what it does."""

    name = METHOD

    def __init__(self, options: Options | None = None) -> None:
        self._options = options or Options()
        self._preference = PMIScorer()

    async def answer(self, ctx: QuestionContext) -> Answer:
        """The entities that answer the question, with the paths that prove each."""
        ctx.budget.limit(calls=_CALLS, round_trips=_ROUND_TRIPS)
        with ctx.stage("decompose") as stage:
            links = await ctx.graph.mentions(ctx.question)
            # Relations are selected for the atomic questions, which serve nothing else.
            selects = self._options.atomic_relations
            questions = await decompose(ctx, links, self._options.shots) if selects else []
            stage.record(links=[_link_shown(found) for found in links], questions=questions)
        with ctx.stage("relations") as stage:
            selected = await select(ctx, questions, self._options.k_q) if questions else []
            stage.record(
                relations=[
                    {"question": question, "relations": [s.relation for s in of_question]}
                    for question, of_question in zip(questions, selected, strict=False)
                ]
            )
        thought_plan = await self._think(ctx, links, selected)
        if not self._options.hybrid:
            return await self._answer_by_thought(ctx, thought_plan)
        retrieved = await retrieve(ctx, links, thought_plan, self._options)
        with ctx.stage("answer") as stage:
            strategy = self._strategy(ctx, links)
            answer = await extract_answers(
                ctx, METHOD, retrieved.evidence, strategy, max_proofs=self._options.paths
            )
            stage.record(answers=[answered.entity.name for answered in answer.entities[:20]])
        if not links and not retrieved.evidence.paths:
            return replace(answer, reason=unnamed(ctx))
        if isinstance(strategy, SlotChoice):
            return answer
        return replace(answer, interpretation=_interpretation(retrieved.grounded))

    def _strategy(self, ctx: QuestionContext, links: Sequence[Link]) -> AnswerStrategy:
        """The model reads (equation 11), or chooses a slot where it is too small to read."""
        options = self._options
        best_slot = BestSlot(options.min_similarity)
        return strategy_for(
            ctx,
            options.inference,
            SlotChoice(
                self._preference,
                [link.mention for link in links],
                options.llm_weight,
                best_slot,
                options.allow_unsupported,
            ),
            LLMReader(
                options.shown, fall_back=best_slot, allow_unsupported=options.allow_unsupported
            ),
        )

    async def verify(self, ctx: QuestionContext) -> Verdict:
        """The paper has no way to."""
        raise cannot_verify(METHOD, ctx.question)

    async def _think(
        self, ctx: QuestionContext, links: Sequence[Link], selected: Sequence[Sequence[Selected]]
    ) -> ThoughtPlan | None:
        """The graph of thought: the language model's (equation 4), else one of the best chain.

        Beside the model's the best chains are followed too: it may have drawn something else than
        was asked.
        """
        with ctx.stage("thought") as stage:
            attempts, thought_plan = ThoughtAttempts(), None
            if ctx.llm.available:
                thought_plan = await self._by_model(ctx, links, selected, attempts)
                stage.record(**attempts.to_trace())
                if thought_plan is None:
                    ctx.note(
                        "The language model drew no usable graph of thought: the relation chains "
                        "that fit the question best were followed instead."
                    )
            options = self._options
            along = options.hybrid and options.relation_aware
            if thought_plan is None or (options.beside and along):
                thought_plan = await self._by_encoder(ctx, links, attempts, thought_plan)
            if thought_plan is not None:
                stage.record(
                    **thought_plan.to_trace(), thought=thought_to_trace(thought_plan.grounded)
                )
            return thought_plan

    async def _by_model(
        self,
        ctx: QuestionContext,
        links: Sequence[Link],
        selected: Sequence[Sequence[Selected]],
        attempts: ThoughtAttempts,
    ) -> ThoughtPlan | None:
        """The thought that the language model writes in Cypher, mended once if need be."""
        asked, grammar = self._thought_asked(ctx, links, selected)
        for attempt in range(2 if self._options.repair else 1):
            reply = await _written(ctx, asked, grammar)
            attempts.scripts.append(reply.text)
            try:
                done = await ctx.graph.ground_thought(
                    reply.text,
                    link={
                        "limit": self._options.entities,
                        "ties": SAME_NAME,
                        "min_score": _LIKE_A_NAME,
                    },
                    max_nodes=_MOST_NODES,
                )
            except PluginMissing:
                ctx.note("There is no kgdb plugin to run a graph of thought.")
                return None
            attempts.executed = done.run.executed
            error, thought = done.run.error, done.run.thought
            if thought and thought.edges:
                grounded = await self._plan(ctx, thought, done.entities, links)
                planned_paths = relation_paths(
                    thought, grounded.anchors, self._options.max_hops, _MOST_WALKS
                )
                if planned_paths:
                    drawn = tuple((grounded, relation_path) for relation_path in planned_paths)
                    return ThoughtPlan(grounded, by_model=True, attempts=attempts, drawn=drawn)
                attempts.errors.append(_nowhere(grounded))
            else:
                attempts.errors.append(str(error or "the graph has no relationship."))
            if attempt == 0:
                asked = prompt(
                    "gotr_repair",
                    language_of(ctx.question),
                    script=reply.text.strip()[:_SCRIPT_SHOWN],
                    error=one_line(attempts.errors[-1]),
                    question=one_line(ctx.question, _LONGEST),
                )
        return None

    def _thought_asked(
        self, ctx: QuestionContext, links: Sequence[Link], selected: Sequence[Sequence[Selected]]
    ) -> tuple[str, str | None]:
        """The prompt with as many of the atomic relations as the model can read.

        Also the grammar of a thought of these, for a model that can be held to it.
        """
        language = language_of(ctx.question)
        best: dict[str, float] = {}
        for found in (found for of_question in selected for found in of_question):
            best[found.relation] = max(found.similarity, best.get(found.relation, -1.0))
        relations = sorted(best, key=lambda relation: (-best[relation], relation))
        lines = texts_of(ctx, relations)
        examples = [
            prompt("gotr_example", language, question=example.question, reply=example.reply)
            for example in ctx.examples("got")[: self._options.shots]
        ]

        def asked(examples: Sequence[str], lines: Sequence[str]) -> str:
            return prompt(
                "gotr_thought",
                language,
                relations="\n".join(lines) or "-",
                examples="\n\n".join(examples) or "-",
                question=one_line(ctx.question, _LONGEST),
            )

        def beside_one(kept: Sequence[str]) -> str:
            return asked(kept, lines[:1])

        shots = ctx.llm.fit(examples, beside_one, _SCRIPT_TOKENS, "examples", at_least=0)

        def written(kept: Sequence[str]) -> str:
            return asked(examples[:shots], kept)

        kept = ctx.llm.fit(lines, written, _SCRIPT_TOKENS, "relations")
        grammar = None
        if self._options.grammar and ctx.llm.supports_grammar:
            mentions = dict.fromkeys(one_line(link.mention, _LONGEST) for link in links)
            grammar = thought_grammar(relations[:kept], list(mentions))
        return written(lines[:kept]), grammar

    async def _plan(
        self,
        ctx: QuestionContext,
        thought: Thought,
        found: Mapping[int, tuple[Entity, ...]],
        links: Sequence[Link],
    ) -> GroundedThought:
        """A thought grounded: its nodes in entities, its types in relations (5 and 6)."""
        named = {entity for link in links for entity in link.entities}
        anchors = [place for place, candidates in found.items() if named & set(candidates)]
        relations = await ground_relations(
            ctx, [edge.type for edge in thought.edges], self._options.relations
        )
        return GroundedThought(thought, found, tuple(sorted(anchors or found)), relations)

    async def _by_encoder(
        self,
        ctx: QuestionContext,
        links: Sequence[Link],
        attempts: ThoughtAttempts,
        thought_plan: ThoughtPlan | None,
    ) -> ThoughtPlan | None:
        """The best chains of relations, beside a thought or, the first of them, as one."""
        options = self._options
        if not options.atomic_relations:
            return thought_plan
        keys = [mentioned(found) for found in links[:_MOST_TOPICS]]
        if not keys:
            return thought_plan
        to_spend = ctx.budget.round_trips_left(reserve=ctx.graph.search_round_trips)
        subjects = [Subject.of(ctx.question, key) for key in keys]
        search = ChainSearch(GuessedCandidates(ctx, to_spend))
        candidates = await search.run(ctx, subjects, options.chain_hops)
        # Where the database was not asked what there is, much of it leads nowhere.
        candidates = candidates[: options.chains * (1 if to_spend else 4)]
        planned_paths = [
            (grounded, relation_path)
            for grounded in map(_as_thought, candidates)
            for relation_path in relation_paths(grounded.thought, (0,), options.chain_hops, 1)
        ]
        if not planned_paths:
            return thought_plan
        scores = tuple(candidate.score for candidate in candidates)
        thought_plan = thought_plan or ThoughtPlan(
            planned_paths[0][0], by_model=False, attempts=attempts
        )
        return replace(thought_plan, chains=tuple(planned_paths), chain_scores=scores)

    async def _answer_by_thought(
        self, ctx: QuestionContext, thought_plan: ThoughtPlan | None
    ) -> Answer:
        """Without retrieval: what the language model makes of its own thought proves nothing."""
        blank = Answer(ctx.question, ctx.graph.name, METHOD)
        if not ctx.llm.available:
            return replace(blank, reason="without retrieval only a language model could answer.")
        with ctx.stage("answer") as stage:
            triples = thought_plan.grounded.thought.triples if thought_plan else ()
            reply = await ctx.llm.complete(
                CompletionRequest(
                    prompt(
                        "answer",
                        language_of(ctx.question),
                        facts="\n".join(one_line(", ".join(triple)) for triple in triples) or "-",
                        question=ctx.question,
                    ),
                    max_tokens=_ANSWER_TOKENS,
                    schema=_ANSWERS,
                )
            )
            names = texts_in(reply.text, "answers")
            stage.record(answers=names)
        said = f"answered {short(', '.join(names))}" if names else "found no answer"
        return replace(
            blank,
            unsupported=tuple(names) if self._options.allow_unsupported else (),
            interpretation=_interpretation(thought_plan.grounded if thought_plan else None),
            reason=f"the language model {said}, and nothing was retrieved that could prove it.",
        )


async def _written(ctx: QuestionContext, asked: str, grammar: str | None) -> Completion:
    """The model's script, held to the grammar unless the model turns out not to keep it."""
    if grammar:
        try:
            return await ctx.llm.complete(
                CompletionRequest(asked, max_tokens=_SCRIPT_TOKENS, grammar=grammar)
            )
        except ModelUnavailable:
            raise  # Without a grammar it would only fail later.
        except ModelError as error:
            ctx.note(f"The graph of thought was drawn without a grammar: {error.message}")
    return await ctx.llm.complete(
        CompletionRequest(asked, max_tokens=_SCRIPT_TOKENS, stop=("\n```\n",))
    )


def _nowhere(grounded: GroundedThought) -> str:
    """Why a search for a thought would begin nowhere."""
    if not grounded.anchors:
        return "no node has a name that the knowledge graph has."
    names = ", ".join(short(grounded.thought.nodes[place].name) for place in grounded.anchors)
    return f"no relationship leads from {names}."


def _as_thought(candidate: CandidateChain) -> GroundedThought:
    """The grounded thought that a relation chain from a mention is."""
    thought = chain_thought(candidate.key.mention, candidate.steps)
    similarity = max(candidate.score, 0.0)
    relations = {step.relation: {Step(step.relation): similarity} for step in candidate.steps}
    return GroundedThought(thought, {0: candidate.key.entities}, (0,), relations)


def _interpretation(grounded: GroundedThought | None) -> str | None:
    """The thought as one line."""
    if grounded is None:
        return None
    triples = grounded.thought.triples
    return one_line("; ".join(f"{head} –{type_}→ {tail}" for head, type_, tail in triples))


def _link_shown(link: Link) -> dict[str, object]:
    return {"mention": link.mention, "entities": [entity.id for entity in link.entities]}
