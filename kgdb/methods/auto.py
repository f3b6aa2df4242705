"""The method that chooses: a logical form where the question has one, RefKG's chains elsewhere.

A graph whose own names tell what it says is asked by forms alone. Elsewhere a form answers the
questions that no chain can: with *how many*, *not*, *oldest* and the like. A graph with too many
relations to be read has names that say much: without a language model, RoK's paths join the names
of a question, or RefKG's chains start from them, and the words of either, with the names, are
compared with the whole question.
"""

from __future__ import annotations

from kgdb.graph.linking.mention_linking import bracketed
from kgdb.language.text.relation_vocabulary import RelationVocabulary
from kgdb.methods.answering.completion import DiscardedEvidence
from kgdb.methods.answering.extraction import Evidence, extract_answers
from kgdb.methods.answering.joins import BestJoin, paths_between
from kgdb.methods.chains.answers import best_named
from kgdb.methods.chains.key_entities import key_entity_of
from kgdb.methods.context import MOST_RELATIONS, QuestionContext
from kgdb.methods.context.expert import Expert
from kgdb.methods.proof.claim_proof import only_near, unknown
from kgdb.methods.proof.claim_text import ClaimText, NamedSpan
from kgdb.methods.refkg.refkg_method import RefKG
from kgdb.methods.refkg.refkg_options import Options
from kgdb.methods.rok.rok_options import Options as PathOptions
from kgdb.methods.understanding import (
    abstains,
    answer_by_form,
    answer_joined,
    answer_operators,
    answer_qualifiers,
    has_readable_schema,
    is_unknown_language,
    note_operators,
    second_question,
    verify_by_form,
)
from kgdb.methods.understanding.cues import question_language
from kgdb.values import Answer, Verdict
from kgdb.wording import short

METHOD = "auto"


class Auto:
    """Answers by a logical form or by chains; verifies by a form or as RefKG."""

    name = METHOD

    def __init__(self, options: Options | None = None, expert: Expert | None = None) -> None:
        """``options`` and ``expert`` are RefKG's."""
        self.options = options or Options()
        self._refkg = RefKG(self.options, expert, name=METHOD)
        self._by_names = RefKG(self.options, expert, name=METHOD, choose=best_named)

    async def answer(self, ctx: QuestionContext) -> Answer:
        """The answer of the form; where the question has none, that of the best chain."""
        other = second_question(ctx.question)
        if await has_readable_schema(ctx):
            if other:
                reason = f"the question asks two things; ask {short(other)} on its own"
                return abstains(ctx, self.name, reason)
            return await answer_by_form(ctx, self.name)
        if other:
            ctx.note(f"Only one question is answered; ask {short(other)} on its own.")
        if unreadable := await _cannot_read(ctx):
            return abstains(ctx, self.name, unreadable)
        if (by_qualifiers := await answer_qualifiers(ctx, self.name)) is not None:
            return by_qualifiers
        if ctx.llm.available or len(ctx.graph.relations) <= MOST_RELATIONS:
            by_form = await answer_joined(ctx, self.name) or await answer_operators(ctx, self.name)
            return by_form or await self._refkg.answer(ctx)
        await note_operators(ctx)
        return await self._among_many_relations(ctx)

    async def _among_many_relations(self, ctx: QuestionContext) -> Answer:
        """What joins the names of the question; else the chain from one of them.

        Both are chosen by one similarity: of the question to their words, with the names.
        """
        joined = await self._joined(ctx)
        return await self._by_names.answer(ctx) if joined is None else joined

    async def _joined(self, ctx: QuestionContext) -> Answer | None:
        """The entities on paths between the names; ``None`` where none are joined."""
        keys = [key_entity_of(link) for link in await ctx.graph.mentions(ctx.question)]
        limits = PathOptions()
        paths = await paths_between(
            ctx,
            keys,
            max_hops=self.options.max_hops,
            per_pair=limits.per_pair,
            max_degree=limits.max_degree,
        )
        if not paths:
            return None
        discarded = DiscardedEvidence(between=paths.truncated)
        evidence = Evidence(paths, [key.ids for key in keys], discarded=discarded)
        with ctx.stage("join"):
            answer = await extract_answers(
                ctx, self.name, evidence, BestJoin(keys), max_proofs=self.options.paths
            )
        return None if answer.is_empty else answer

    async def verify(self, ctx: QuestionContext) -> Verdict:
        """The verdict of the form; where the claim has none, that of the facts around its names.

        If the names of the graph alone tell what it says, facts that no form names prove nothing,
        unless a model or a trained verifier is to judge them, or they are all that is true.
        """
        options = self.options
        closed = options.closed_world
        by_form = await verify_by_form(ctx, self.name, closed_world=closed)
        if by_form is not None:
            return by_form
        is_asked = options.judge == "llm" and ctx.llm.available
        is_read = question_language(ctx.question) == "en" and await has_readable_schema(ctx)
        if is_read and not (closed or is_asked or ctx.resources.verifier):
            reason = "the names of the graph do not tell what it claims"
            return Verdict(ctx.question, ctx.graph.name, self.name, reason=reason)
        return await self._refkg.verify(ctx)


async def _question_text(ctx: QuestionContext) -> ClaimText:
    """The question with the names that the graph has."""
    links = await ctx.graph.mentions(ctx.question)
    spans = [NamedSpan(each.mention, each.start, each.end, frozenset(each.ids)) for each in links]
    return ClaimText.of(ctx.question, spans)


async def _cannot_read(ctx: QuestionContext) -> str | None:
    """Why the question's words cannot be read, if they cannot."""
    if await is_unknown_language(ctx):
        return (
            f"the encoder {ctx.resources.encoder.name} does not know Chinese, and no relation of "
            "the graph has a Chinese name (set a multilingual encoder with --encoder)"
        )
    return await _not_known(ctx)


async def _not_known(ctx: QuestionContext) -> str | None:
    """Which name of the question the graph does not have; a similar one is asked back.

    Over many relations a word with a capital may be anything that one of them says: a note tells
    that it has no effect.
    """
    with ctx.stage("link"):
        links = await ctx.graph.mentions(ctx.question)
    if near := next((link for link in links if link.near), None):
        return only_near(near.mention, near.entities[0].name)
    if not links or bracketed(ctx.question):
        return None
    vocabularies = [RelationVocabulary.of(*each) for each in ctx.graph.relations.items()]
    names = (await _question_text(ctx)).unknown_names(vocabularies)
    if names and len(ctx.graph.relations) > MOST_RELATIONS:
        ctx.note(f"{unknown(names)}: it has no effect.")
        return None
    return unknown(names) if names else None
