"""What a sentence says of a mention's role in relations."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kgdb.language.text.prompts import language_of
from kgdb.language.text.roles.chinese import Chinese
from kgdb.language.text.roles.english import English
from kgdb.language.text.roles.tokens import tokenize
from kgdb.language.text.roles.vocabulary import Role, vocabulary

Span = tuple[int, int]

_SHARING = re.compile(
    r"\b(?:share[sd]?|sharing|same|common|also|other|another|both)\b|相同|同一|共同|也",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A word of a sentence that may name relations, and the role of a mention in each of them.

    ``count`` is how many steps of a relation the word stands for. ``noun`` is the word if it is a
    noun: said twice, as in *A's manager's manager*, it stands for two steps. ``incidental``: it
    says only what kind of thing is asked for (*which company*), or what a verb is about (*transfer
    money*). ``roles`` are empty where the role of the mention is unclear.
    """

    roles: Mapping[str, Role]
    count: int = 1
    noun: str | None = None
    incidental: bool = False


def read(text: str, span: Span, others: Sequence[Span] = ()) -> tuple[Reading, ...]:
    """The readings of the words around a mention, the nearest word first.

    ``span`` is the mention in characters, ``others`` are further mentions.
    """
    spans = [span, *(other for other in others if other[1] <= span[0] or other[0] >= span[1])]
    outside = text
    for start, end in spans:
        outside = outside[:start] + " " * (end - start) + outside[end:]
    readings: list[tuple[int, Reading]] = []
    if language_of(outside) == "zh":
        chinese = Chinese(text, spans, vocabulary("zh"))
        for word in chinese.triggers():
            roles, count = chinese.roles(word, span)
            readings.append((_gap((word.start, word.end), span), Reading(roles, count)))
    else:
        tokens = tokenize(text, spans)
        at = next(n for n, token in enumerate(tokens) if token.mention == 0)
        english = English(tokens, vocabulary("en"))
        for trigger in english.triggers():
            roles, count = english.roles(trigger, at)
            noun = tokens[trigger].text if english.is_noun(trigger) else None
            reading = Reading(roles, count, noun, english.is_incidental(trigger))
            readings.append((abs(trigger - at), reading))
    readings.sort(key=lambda pair: pair[0])
    return tuple(reading for _, reading in readings)


def shares(text: str) -> bool:
    """Whether a question asks for what is shared, which leads there and back."""
    return _SHARING.search(text) is not None


def _gap(one: Span, other: Span) -> int:
    return max(one[0] - other[1], other[0] - one[1])
