"""How well a reading explains a question, and whether it accounts for all of its words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from kgdb.graph.forms.operators import Form
from kgdb.methods.understanding.accounting import is_used, missing_operators
from kgdb.methods.understanding.question import Anchor, Word
from kgdb.methods.understanding.readings import Reading, Use
from kgdb.methods.understanding.view import SUPPORTED, QuestionView
from kgdb.methods.understanding.words import PREPOSITIONS, says_in_full, words_of
from kgdb.wording import short

_PREPOSITION_BEFORE = re.compile(rf"\b({'|'.join(sorted(PREPOSITIONS))})\s+(?:the\s+)?(?:\w+\s+)?$")

COVERED = 0.5
"""The likeness from which a name explains a word."""

_SILENT_COST = 0.15
_HOP_COST = 0.05
_SUPPORT = 0.1
_NEAR = 0.1
_INVERTED_COST = 0.2
_UNUSUAL_COST = 0.3
_UNSAID_COST = 0.2
_APART_COST = 0.05
_PREPOSITION = 0.15

_OPPOSITE = {"from": "to", "to": "from"}


def accounts(view: QuestionView, form: Form) -> bool:
    """Whether the form has an operator for each operator word, and speaks of every anchor."""
    return not missing_operators(view.parts, form) and all(
        is_used(anchor, form) for anchor in view.parts.anchors
    )


def score(view: QuestionView, reading: Reading) -> float:
    """How well the reading explains the question; the weights fit the questions in tests."""
    words = view.parts.words
    names = _explaining(view, reading.uses)
    total = sum(explained(view, word.text, names) for word in words)
    score = total / max(1, len(words)) - reading.cost - _HOP_COST * reading.hops
    if not set(_said_in_full(view.parts.text, _properties(view))) <= names:
        score -= _UNSAID_COST
    spoken = [word.text for word in words]
    for use in dict.fromkeys(reading.uses):
        support = view.alignment.support(use.name, spoken)
        if view.is_adjectival(use.anchor) and not use.silent:
            # "Tom Hanks films": no word says the relation, so the usual one is meant
            score -= _SUPPORT + _UNUSUAL_COST * view.rarity(use.name)
        elif not use.silent:
            score -= _SUPPORT * (1 - support) + (_SILENT_COST if support < SUPPORTED else 0.0)
    for place, anchor in enumerate(view.parts.anchors):
        if view.is_adjectival(place):
            continue
        uses = [use for use in reading.uses if use.anchor == place and not use.silent]
        if place and _follows_at_once(view, place):
            before = {u.name for u in reading.uses if u.anchor == place - 1 and not u.silent}
            score -= _APART_COST * (before != {use.name for use in uses})
        score += _PREPOSITION * preposition_fit(view, anchor, uses or reading.uses)
        near = [word.text for word in words if nearest(view, word) == place]
        score += _NEAR * max(
            (view.alignment.likeness(word, use.name) for word in near for use in uses),
            default=0.0,
        )
        away = [distance(view, use, anchor) for use in uses]
        known = [each for each in away if each is not None]
        if known != sorted(known):
            score -= _INVERTED_COST
    return score


def _properties(view: QuestionView) -> tuple[str, ...]:
    infos = (p.name for ends in view.schema.relations.values() for p in ends.properties)
    return tuple(dict.fromkeys((*view.schema.properties, *infos)))


@lru_cache(maxsize=64)
def _said_in_full(text: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Properties whose names a question says word for word; it can mean nothing else."""
    return tuple(name for name in names if says_in_full(text, name))


def _follows_at_once(view: QuestionView, place: int) -> bool:
    """Whether no word stands between an anchor and the one before: *by X and Y*, *by X or by Y*."""
    before, anchor = view.parts.anchors[place - 1 : place + 1]
    return not any(before.end <= word.start < anchor.start for word in view.parts.words)


def preposition_fit(view: QuestionView, anchor: Anchor, uses: Iterable[Use]) -> int:
    """Whether the preposition before an anchor is that of the relation to it, or its opposite.

    *From X* goes with ``DEPARTS_FROM``, and *to X* does not: 1, -1 or 0.
    """
    relation = next((use.name for use in uses if use.name in view.schema.relations), "")
    own = (words_of(relation) or [""])[-1]
    said = _PREPOSITION_BEFORE.search(view.parts.text[: anchor.start].lower())
    if said is None or own not in PREPOSITIONS:
        return 0
    return (said[1] == own) - (said[1] == _OPPOSITE.get(own))


def distance(view: QuestionView, use: Use, anchor: Anchor) -> int | None:
    """How far from the anchor the word is that says the name; ``None`` where none does."""
    places = [
        abs(word.start - anchor.start)
        for word in view.parts.words
        if view.alignment.likeness(word.text, use.name) >= SUPPORTED
    ]
    return min(places, default=None)


def explained(view: QuestionView, word: str, names: Iterable[str]) -> float:
    """How well one of the names explains a word."""
    names = list(names)
    if word in view.cues.dates and any(view.is_date(name) for name in names):
        return 1.0
    known = [view.alignment.likeness(word, name) for name in names]
    return max((each for each in known if each >= COVERED), default=0.0)


def unexplained(view: QuestionView, uses: Iterable[Use]) -> list[str]:
    """The words that no name explains."""
    names = _explaining(view, uses)
    return [
        word.text
        for word in view.parts.words
        if not explained(view, word.text, names)
        and word.text not in view.cues.light
        and not (word.text in view.cues.persons and view.persons())
    ]


def _explaining(view: QuestionView, uses: Iterable[Use]) -> set[str]:
    """The names that words of the question may say."""
    return {use.name for use in uses if use.silent or not view.is_adjectival(use.anchor)}


def nearest(view: QuestionView, word: Word) -> int:
    """The anchor that a word belongs to: the next one, else the one before.

    *did X direct* goes with the one before, *directed by X* with the next.
    """
    text = view.parts.text.lower()
    before = [n for n, a in enumerate(view.parts.anchors) if a.end <= word.start]
    after = [n for n, a in enumerate(view.parts.anchors) if a.start >= word.end]
    if before and not text[view.parts.anchors[before[-1]].end : word.start].strip():
        passive = text[word.end :].lstrip().startswith("by ")
        if not passive and re.search(r"\b(?:did|does|do|has|have)\b", text[: word.start]):
            return before[-1]
    if after:
        return after[0]
    return before[-1] if before else -1


def unknown(left: Iterable[str]) -> str:
    """The reason why there is no answer, which names the words."""
    words = list(left)
    if words:
        return f"I don't understand {short(' '.join(words))} in the question"
    return "I don't understand the question: no property or relation of the graph fits it"
