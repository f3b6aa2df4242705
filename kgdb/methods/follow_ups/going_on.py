"""Whether a question goes on from the last one, and how; what stands alone does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from kgdb.methods.context import QuestionContext
from kgdb.methods.follow_ups.follow_up_words import ReferringWords
from kgdb.methods.follow_ups.lead import Lead, lead_of
from kgdb.methods.follow_ups.references import Mention, Reference, ReferenceFinder
from kgdb.methods.understanding.alignment import align
from kgdb.methods.understanding.anchors import find_anchors
from kgdb.methods.understanding.cues import Cues
from kgdb.methods.understanding.question import Anchor, QuestionParts, comparison, take_apart
from kgdb.methods.understanding.view import QuestionView, is_person

Way = Literal["refer", "narrow", "lead on", "swap"]
"""By words that refer, by narrowing the set, by leading on from it, or by swapping a part."""


@dataclass(frozen=True, slots=True)
class GoingOn:
    """A question that goes on from the last one.

    ``text`` has blanks for its lead; ``said`` are the words that tell so. ``swaps``: it begins as
    *what about*, which keeps no part of what it swaps.
    """

    way: Way
    text: str
    anchors: tuple[Anchor, ...]
    parts: QuestionParts
    references: tuple[Reference, ...] = ()
    said: str = ""
    swaps: bool = False


def may_go_on(question: str, words: ReferringWords, cues: Cues, *, has_last: bool) -> bool:
    """Whether any word tells so; looked at before anything is asked of the database.

    Without a last answer only what cannot stand alone counts: it must be told that it refers.
    """
    lead = lead_of(question, [], words)
    lower = lead.text.lower()
    patterns = [*(pattern for _, pattern in words.kinds), words.pointing]
    if any(pattern.search(lower) for pattern in patterns):
        return True
    if not take_apart(lead.text, (), cues).words:
        return True
    return has_last and (
        lead.opens
        or lead.narrows
        or lead.swaps
        or words.anaphoric.match(lower, lead.begin) is not None
        or _is_fragment(lead, words)
    )


def _is_fragment(lead: Lead, words: ReferringWords) -> bool:
    """Whether it begins as no question does: *directed by Ron Howard*."""
    return words.asking.match(lead.text.lower(), lead.begin) is None


async def going_on(
    ctx: QuestionContext, words: ReferringWords, cues: Cues, *, has_last: bool
) -> GoingOn | None:
    """How the question goes on; ``None`` where it stands alone."""
    schema = await ctx.graph.schema()
    found = await find_anchors(ctx, schema, cues)
    persons = frozenset(label for label in schema.labels if is_person(label, cues))
    anchors = [anchor for anchor in found if not _is_pronoun(anchor, ctx.question, words)]
    lead = lead_of(ctx.question, [(a.start, a.end) for a in anchors], words)
    parts = _with_number(take_apart(lead.text, anchors, cues, schema.wordings))
    alignment = await align(ctx, [word.text for word in parts.words], schema, cues)
    view = QuestionView(parts, schema, alignment, cues)
    nouns = [
        Mention(word.start, word.end, labels, is_name=False)
        for word in parts.words
        if (labels := _labels_of(view, word.text, persons))
    ]
    names = [
        Mention(
            a.start, a.end, frozenset(label for one in a.readings for label in one.labels), True
        )
        for a in anchors
    ]
    finder = ReferenceFinder(lead.text.lower(), lead.begin, [*names, *nouns], persons, words)
    references, lead = _without_repeated(finder.references(), lead)
    way = _way(lead, parts, references, nouns, words, has_last=has_last)
    if way is None:
        return None
    said = " ".join(one.text for one in references) or ctx.question.strip(" ?.!")
    return GoingOn(way, lead.text, tuple(anchors), parts, tuple(references), said, lead.swaps)


def _way(  # noqa: PLR0911 - one return for each way
    lead: Lead,
    parts: QuestionParts,
    references: Sequence[Reference],
    nouns: Sequence[Mention],
    words: ReferringWords,
    *,
    has_last: bool,
) -> Way | None:
    if references:
        return "refer"
    if not parts.words and not parts.anchors and parts.has_operators and not parts.comparisons:
        return "narrow"
    if not has_last:
        return None
    if lead.narrows:
        return "narrow"
    fragment = _is_fragment(lead, words)
    plain = not (parts.excludes_at or parts.counts or parts.superlative or parts.extreme)
    is_one = len(parts.anchors) + len(parts.comparisons) == 1 and not parts.words
    if (lead.swaps or lead.opens or fragment) and plain and is_one:
        return "swap"
    if not parts.words and not parts.anchors:
        return "narrow"
    compares = parts.comparative is not None and len(parts.anchors) > 1
    if nouns or compares:
        return None
    if words.anaphoric.match(lead.text.lower(), lead.begin):
        return "narrow"
    if not parts.anchors and (lead.opens or lead.swaps or fragment):
        return "lead on"
    return "narrow" if fragment else None


def _with_number(parts: QuestionParts) -> QuestionParts:
    """A number alone, as in *and 1957?*, is what something equals."""
    if len(parts.words) != 1 or parts.anchors or not parts.words[0].text.isdigit():
        return parts
    (word,) = parts.words
    by = comparison("=", word.text, word.start, word.end)
    return replace(parts, words=(), comparisons=(*parts.comparisons, by))


def _labels_of(view: QuestionView, text: str, persons: frozenset[str]) -> frozenset[str]:
    """The labels that a word names; those of people for words such as *people*."""
    word = next(word for word in view.parts.words if word.text == text)
    label = view.label_of(word)
    if label is not None:
        return frozenset({label})
    return persons if text in view.cues.persons else frozenset()


def _is_pronoun(anchor: Anchor, question: str, words: ReferringWords) -> bool:
    """Whether what names an entity called *It* or *Her* is but the pronoun, in lower case."""
    text = question[anchor.start : anchor.end]
    return text == text.lower() and any(p.fullmatch(text) for _, p in words.kinds)


def _without_repeated(references: list[Reference], lead: Lead) -> tuple[list[Reference], Lead]:
    """Without the *those* of *not those directed by X*, which says no more than *not*."""
    if lead.narrows and references and lead.text[lead.begin : references[0].start].strip():
        first = references[0]
        between = lead.text[lead.begin : first.start].split()
        if len(between) == 1 and first.kind == "plural" and not first.possessive:
            blank = " " * (first.end - first.start)
            text = lead.text[: first.start] + blank + lead.text[first.end :]
            return references[1:], replace(lead, text=text)
    return references, lead
