"""The form *text*: after any method, its answer becomes a paragraph that cites its facts.

It has the three parts that MindMap and RoK (§4.3) ask a language model for: the answer, how the
evidence leads to it (a tree), and the facts. Without a language model the sentences are templates
over the texts of relations. With one, the model writes from the facts, and what no fact supports
is left out, or marked if that is allowed; see :mod:`kgdb.methods.texts.support`.

This is a stage after a method and none of its own, so every method can be compared by its texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from kgdb.language import CompletionRequest, fact
from kgdb.language.text.lines import numbered, one_line
from kgdb.language.text.prompts import Language, language_of, prompt
from kgdb.methods.context import QuestionContext
from kgdb.methods.proof.claim_proof import is_reversed
from kgdb.methods.reasoner import Method
from kgdb.methods.texts.chain import inference_chain
from kgdb.methods.texts.citations import Citations
from kgdb.methods.texts.support import Support, sentences_of
from kgdb.methods.texts.template import describe, lead
from kgdb.values import Answer, Path, Triple, Verdict
from kgdb.wording import counted

_REPLY_TOKENS = 500

_MAX_ANSWERS = 20
"""Answers of which the first path is told."""

_UNSUPPORTED = {"en": " (no fact says so)", "zh": "（没有事实支持）"}


class TextForm:
    """A method whose answers are texts; verdicts are its own.

    ``agreement``: its answers are what most of the mentions of a question agree on.
    """

    def __init__(
        self, method: Method, *, agreement: bool = False, allow_unsupported: bool = False
    ) -> None:
        self._method = method
        self._agreement = agreement
        self._allow_unsupported = allow_unsupported

    @property
    def name(self) -> str:
        """That of the method."""
        return self._method.name

    @property
    def options(self) -> Any:
        """Those of the method, if it has any."""
        return getattr(self._method, "options", None)

    async def answer(self, ctx: QuestionContext) -> Answer:
        """The answer of the method with its text; an answer without facts stays as it is."""
        answer = await self._method.answer(ctx)
        if not _says_anything(answer):
            return answer
        paths = _told_paths(answer)
        with ctx.stage("text") as stage:
            written = await self._written(ctx, answer, paths)
            stage.record(sentences=written.text, facts=len(written.cited))
            return written

    async def verify(self, ctx: QuestionContext) -> Verdict:
        """The verdict of the method."""
        return await self._method.verify(ctx)

    async def _written(self, ctx: QuestionContext, answer: Answer, paths: Sequence[Path]) -> Answer:
        language = language_of(ctx.question)
        facts = list(dict.fromkeys(triple for path in paths for triple in path.triples))
        citations = Citations()
        sentences: list[str] = []
        if ctx.llm.available and facts:
            sentences, unsupported = await self._by_model(ctx, facts, citations)
            answer = replace(answer, unsupported=(*answer.unsupported, *unsupported))
        if not citations.facts:
            told = answer.facts if self._agreement else paths
            first = lead(_with_paths(answer), citations, language, agreement=self._agreement)
            described = describe(told, citations, ctx.graph.relations, language)
            sentences = [first, *described] if first else described
        return replace(
            answer,
            text=("" if language == "zh" else " ").join(sentences),
            chain=inference_chain(paths, citations),
            cited=citations.facts,
        )

    async def _by_model(
        self, ctx: QuestionContext, facts: Sequence[Triple], citations: Citations
    ) -> tuple[list[str], list[str]]:
        """The sentences that the language model writes of the facts, and those it may not say.

        A sentence that no fact supports is only kept, marked, if that is allowed.
        """
        language = language_of(ctx.question)

        def to_prompt(some: Sequence[Triple]) -> str:
            lines = [one_line(fact(triple, ctx.graph.relations)) for triple in some]
            question = ctx.question.replace("[", "").replace("]", "")
            return prompt("text_answer", language, facts=numbered(lines), question=question)

        facts = facts[: ctx.llm.fit(facts, to_prompt, _REPLY_TOKENS)]
        reply = await ctx.llm.complete(CompletionRequest(to_prompt(facts), _REPLY_TOKENS))
        sentences = sentences_of(reply.text)
        links = await ctx.graph.mentions_all(sentences, misspelt=False) if sentences else []
        support = Support(facts, ctx.question, ctx.graph.relations)
        kept, unsupported = [], []
        for sentence, named in zip(sentences, links, strict=True):
            checked = support.check(sentence, [link.mention for link in named])
            if checked.facts and not any(
                is_reversed(ctx, checked.text, fact) for fact in checked.facts
            ):
                kept.append(_with_marks(checked.text, citations.cite(checked.facts), language))
            else:
                unsupported.append(checked.text)
                if self._allow_unsupported:
                    kept.append(f"{checked.text}{_UNSUPPORTED[language]}")
        if not citations.facts:
            ctx.note("No fact supports what the language model wrote: the text is by template.")
        elif unsupported and not self._allow_unsupported:
            ctx.note(
                f"Left out, as no fact supports them: {counted(len(unsupported), 'sentence')} of "
                "the language model."
            )
        return kept, unsupported if self._allow_unsupported else []


def _says_anything(answer: Answer) -> bool:
    return not answer.is_empty or bool(answer.facts)


def _told_paths(answer: Answer) -> list[Path]:
    """The paths that the text tells, those of the answers first."""
    of_answers = [path for each in _with_paths(answer).entities for path in each.paths]
    return list(dict.fromkeys([*of_answers, *answer.facts]))


def _with_paths(answer: Answer) -> Answer:
    """The answer with as many answers as a text tells."""
    return replace(answer, entities=answer.entities[:_MAX_ANSWERS])


def _with_marks(text: str, marks: str, language: Language) -> str:
    """A sentence with its marks before the full stop."""
    end = text[-1] if text and text[-1] in ".!?。！？" else ("。" if language == "zh" else ".")
    body = text.rstrip(".!?。！？ ")
    return f"{body}{marks}{end}" if language == "zh" else f"{body} {marks}{end}"
