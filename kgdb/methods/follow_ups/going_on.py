"""Whether a question may go on from the last one, and which of its words refer to that."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kgdb.graph.schema import Schema
from kgdb.methods.follow_ups.follow_up_words import ReferringWords
from kgdb.methods.follow_ups.lead import Lead, lead_of
from kgdb.methods.follow_ups.references import Mention, Reference, ReferenceFinder
from kgdb.methods.understanding.cues import Cues
from kgdb.methods.understanding.question import Anchor, take_apart
from kgdb.methods.understanding.view import is_person
from kgdb.methods.understanding.words import RELATED, likeness

_WORD = re.compile(r"[^\W\d_]+")


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
        or is_fragment(lead, words)
    )


def is_fragment(lead: Lead, words: ReferringWords) -> bool:
    """Whether it begins as no question does: *directed by Ron Howard*."""
    return words.asking.match(lead.text.lower(), lead.begin) is None


@dataclass(frozen=True, slots=True)
class GoingOn:
    """How an English question goes on.

    ``references`` refer to an earlier answer. ``goes_on``: so do its first words (*only …*, *which
    is …*), even if the rest of it could stand alone.
    """

    references: list[Reference]
    goes_on: bool


def going_on(
    question: str, anchors: Sequence[Anchor], schema: Schema, words: ReferringWords, cues: Cues
) -> GoingOn:
    """The words of a question that refer to an earlier answer."""
    persons = frozenset(label for label in schema.labels if is_person(label, cues))
    names = [
        Mention(a.start, a.end, frozenset(x for one in a.readings for x in one.labels), True)
        for a in anchors
    ]
    nouns = [
        Mention(found.start(), found.end(), labels, is_name=False)
        for found in _WORD.finditer(question.lower())
        if not any(name.start <= found.start() < name.end for name in names)
        if (labels := _labels_of(found[0], schema, persons, cues))
    ]
    lead = lead_of(question, [(name.start, name.end) for name in names], words)
    lower = lead.text.lower()
    finder = ReferenceFinder(lower, lead.begin, [*names, *nouns], persons, words)
    names_nothing = not nouns and (
        words.anaphoric.match(lower, lead.begin) is not None
        or (not names and (lead.opens or lead.swaps or is_fragment(lead, words)))
    )
    return GoingOn(finder.references(), lead.narrows or names_nothing)


def _labels_of(word: str, schema: Schema, persons: frozenset[str], cues: Cues) -> frozenset[str]:
    """The labels that a word names; those of people for words such as *people*."""
    if word in cues.stop:
        return frozenset()
    named = {label for label in schema.labels if likeness(word, label.lower(), cues) >= RELATED}
    return frozenset(named) or (persons if word in cues.persons else frozenset())


def is_pronoun(anchor: Anchor, question: str, words: ReferringWords) -> bool:
    """Whether what names an entity called *It* or *Her* is but the pronoun, in lower case."""
    text = question[anchor.start : anchor.end]
    return text == text.lower() and any(p.fullmatch(text) for _, p in words.kinds)
