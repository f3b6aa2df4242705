"""Verdicts on all claims of a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kgdb.errors import UsageError
from kgdb.graph import link
from kgdb.methods.claims_of_text.name_references import (
    Name,
    NameReferences,
    Resolved,
    may_refer,
    names_in,
)
from kgdb.methods.claims_of_text.sentence_cutting import Sentence, cut
from kgdb.methods.reasoner import Reasoner, check_question
from kgdb.text_arguments import text as checked_text
from kgdb.values import TextClaim, TextVerdict, Verdict

MAX_BYTES = 1_000_000
"""Of a text, in UTF-8."""

_TOGETHER = 100
"""Sentences that share batches and round trips, as many as the command line asks together."""


def sentences_with_claims(text: str) -> list[Sentence]:
    """The sentences of a text.

    Raises :class:`UsageError` for a text that is empty, too long, or without claims.
    """
    checked_text("text", text, "a text with claims", empty=True)
    if not text.strip():
        raise UsageError("The text is empty.", hint="Give a text with sentences that claim facts.")
    if len(text.encode()) > MAX_BYTES:
        raise too_long()
    sentences = cut(text)
    if not any(sentence.is_claim for sentence in sentences):
        raise UsageError(
            "The text has no claims.",
            hint="Headings, tables, code, questions and requests are none: give whole sentences.",
        )
    return sentences


def too_long() -> UsageError:
    """The error of a text of more than :data:`MAX_BYTES`."""
    return UsageError(
        f"The text has more than {MAX_BYTES:,} bytes.",
        hint="Check it in parts, chapter by chapter.",
    )


def judge_text(reasoner: Reasoner, text: str, sentences: Sequence[Sentence]) -> TextVerdict:
    """The verdict on each claim among the sentences of a text."""
    resources = reasoner.resources
    graph, method = resources.graph.name, reasoner.method.name
    claims: list[TextClaim] = []
    for sentence, resolved in zip(sentences, _resolved(reasoner, sentences), strict=True):
        if sentence.is_claim:
            reason = resolved.reason or _why_not_asked(resolved.words)
            verdict = Verdict(resolved.words, graph, method, reason=reason)
            place = sentence.start, sentence.end
            claims.append(TextClaim(text[slice(*place)], *place, verdict))
    asked = [index for index, claim in enumerate(claims) if claim.verdict.reason is None]
    for start in range(0, len(asked), _TOGETHER):
        some = asked[start : start + _TOGETHER]
        verdicts = reasoner.verdicts([claims[index].verdict.claim for index in some])
        for index, verdict in zip(some, verdicts, strict=True):
            claims[index] = replace(claims[index], verdict=verdict)
    return TextVerdict(graph, method, tuple(claims))


def _why_not_asked(words: str) -> str | None:
    """Why a sentence is no claim that can be asked; the others are."""
    try:
        check_question(words, "claim")
    except UsageError as error:
        return error.message
    return None


def _resolved(reasoner: Reasoner, sentences: Sequence[Sentence]) -> list[Resolved]:
    """The sentences in words that stand alone.

    The graph is asked for the names of those that refer to another, and of those before them.
    """
    graph = reasoner.resources.graph
    referring = [sentence.is_claim and may_refer(sentence.words) for sentence in sentences]
    if not any(referring):
        return [Resolved(sentence.words) for sentence in sentences]
    labels = list(graph.schema.labels)
    looked_up = [
        index
        for index, sentence in enumerate(sentences)
        if any(referring[index : index + 2]) and _why_not_asked(sentence.words) is None
    ]
    names: dict[int, list[Name]] = {}
    for start in range(0, len(looked_up), _TOGETHER):
        some = looked_up[start : start + _TOGETHER]
        links = link(graph, [sentences[index].words for index in some], misspelt=False)
        ids = list(dict.fromkeys(id for each in links for one in each for id in one.ids))
        labels_of, _ = graph.named_in_text(ids, [])
        for index, each in zip(some, links, strict=True):
            known = [
                Name(
                    sentences[index].words[one.start : one.end],
                    *(one.start, one.end),
                    frozenset(label for id in one.ids for label in labels_of.get(id, ()))
                    & graph.schema.labels.keys(),
                )
                for one in each
            ]
            names[index] = names_in(sentences[index].words, known)
    references = NameReferences(labels)
    resolved: list[Resolved] = []
    before = Resolved("")
    for index, sentence in enumerate(sentences):
        if index in names:
            before = references.resolved(sentence.words, names[index], before)
        else:
            before = Resolved(sentence.words)
        resolved.append(before)
    return resolved
