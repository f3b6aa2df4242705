"""GoT-R: graph-of-thought guided reasoning (Huang et al., 2025).

Section 3: *select* atomic relations for the atomic questions of a question (3.2); have the language
model draw a *graph of thought* of them in Cypher, which the database runs in a sandbox (3.3);
*retrieve* by its relations, along its paths (equations 5 to 7) and as a whole pattern, and without
them, by shortest paths and neighbors (8 and 9); *answer* from all of it (10 and 11).

Differences from the paper: the pattern search (``kgdb.got.match``) finds joins, which paths alone
do not; a path may follow an edge against its direction; the full-text index matches names; and the
method also follows the relation chains that fit the question best, or only these if there is no
language model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kgdb.graph import Link
from kgdb.language import CompletionRequest
from kgdb.language.text.lines import one_line
from kgdb.language.text.prompts import language_of, prompt
from kgdb.language.text.replies import list_schema, texts_in
from kgdb.methods.answering.abstention import cannot_verify, unnamed
from kgdb.methods.answering.extraction import AnswerStrategy, BestSlot, extract_answers
from kgdb.methods.answering.llm_reader import LLMReader
from kgdb.methods.answering.preference import PMIScorer
from kgdb.methods.answering.slot_choice import SlotChoice, strategy_for
from kgdb.methods.context import QuestionContext
from kgdb.methods.gotr.atomic import Selected, decompose, select
from kgdb.methods.gotr.gotr_options import Options
from kgdb.methods.gotr.gotr_retrieval import retrieve
from kgdb.methods.gotr.thought_generation import add_chains, generate_thought
from kgdb.methods.gotr.thought_plan import ThoughtAttempts, ThoughtPlan
from kgdb.methods.gotr.thoughts import GroundedThought, thought_to_trace
from kgdb.values import Answer, Verdict
from kgdb.wording import short

METHOD = "gotr"

_CALLS = 4
"""Calls of the language model for one question: three, and the repair of its thought."""
_ROUND_TRIPS = 5
"""Round trips to the database for one question."""
_ANSWER_TOKENS = 200
_ANSWERS = list_schema("answers", 20)


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
            stage.record(links=[_link_to_trace(link) for link in links], questions=questions)
        with ctx.stage("relations") as stage:
            selected = await select(ctx, questions, self._options.k_q) if questions else []
            stage.record(
                relations=[
                    {"question": question, "relations": [s.relation for s in relations]}
                    for question, relations in zip(questions, selected, strict=False)
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
        """The model reads (equation 11), or chooses a slot if it is too small to read."""
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
                options.max_evidence,
                fall_back=best_slot,
                allow_unsupported=options.allow_unsupported,
            ),
        )

    async def verify(self, ctx: QuestionContext) -> Verdict:
        """Raises :class:`kgdb.errors.UsageError`: the paper answers questions only."""
        raise cannot_verify(METHOD, ctx.question)

    async def _think(
        self, ctx: QuestionContext, links: Sequence[Link], selected: Sequence[Sequence[Selected]]
    ) -> ThoughtPlan | None:
        """The graph of thought: the language model's (equation 4), else that of the best chain.

        The plan also has the best chains, because the model's graph may miss the question.
        """
        with ctx.stage("thought") as stage:
            options, attempts, thought_plan = self._options, ThoughtAttempts(), None
            if ctx.llm.available:
                thought_plan = await generate_thought(ctx, links, selected, attempts, options)
                stage.record(**attempts.to_trace())
                if thought_plan is None:
                    ctx.note(
                        "The language model drew no usable graph of thought, so the retrieval "
                        "follows the relation chains that fit the question best."
                    )
            along = options.hybrid and options.relation_aware
            if thought_plan is None or (options.also_chains and along):
                thought_plan = await add_chains(ctx, links, attempts, thought_plan, options)
            if thought_plan is not None:
                stage.record(
                    **thought_plan.to_trace(), thought=thought_to_trace(thought_plan.grounded)
                )
            return thought_plan

    async def _answer_by_thought(
        self, ctx: QuestionContext, thought_plan: ThoughtPlan | None
    ) -> Answer:
        """The answer without retrieval: an answer from the model's own thought has no proof."""
        blank = Answer(ctx.question, ctx.graph.name, METHOD)
        if not ctx.llm.available:
            return replace(blank, reason="without retrieval only a language model can answer.")
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
        outcome = f"answered {short(', '.join(names))}" if names else "found no answer"
        return replace(
            blank,
            unsupported=tuple(names) if self._options.allow_unsupported else (),
            interpretation=_interpretation(thought_plan.grounded if thought_plan else None),
            reason=f"the language model {outcome}; without retrieval there is no evidence for it.",
        )


def _interpretation(grounded: GroundedThought | None) -> str | None:
    """The thought as one line."""
    if grounded is None:
        return None
    triples = grounded.thought.triples
    return one_line("; ".join(f"{head} –{type_}→ {tail}" for head, type_, tail in triples))


def _link_to_trace(link: Link) -> dict[str, object]:
    return {"mention": link.mention, "entities": [entity.id for entity in link.entities]}
