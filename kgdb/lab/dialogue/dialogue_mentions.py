"""What a dialogue mentions: names word for word, and words that are a part of names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kgdb.graph.linking.mention_linking import bracketed
from kgdb.language.text.name_forms import Form, forms_in, words_of
from kgdb.methods.context import QuestionContext
from kgdb.values import Entity

# A name of a Chinese graph never goes over a comma, and its characters have no spaces between.
_CLAUSE_END = re.compile(r"[、，。！？；：,;!?\n]+|(?<=[\u4e00-\u9fff])\s+")
_PART_END = re.compile(r"[^\w\s'’-]+|\b(?:and|or|with)\b", re.IGNORECASE)

_WORDS = (3, 2)
"""Words of a text that may be a part of a name, longer runs first."""

_MAX_PHRASES = 40
"""Runs of words of one text that are looked up."""

_MAX_NAMES = 20
"""Names that a run of words may be a part of: of more, it says too little."""

_JOINING = frozenset("the of a an in on my to and or with".split())

_PASSED_OVER = _JOINING | frozenset(
    "at for from is are was were am be been being feel feels feeling have has had having some very "
    "really so quite bit lately also it its this that".split()
)
"""Words between those of a name: *weakness in my wrists* is a wrist weakness."""


@dataclass(frozen=True, slots=True)
class Mention:
    """What the text says, the entities that it may mean, and how sure each of them is."""

    text: str
    entities: tuple[Entity, ...]
    weight: float


async def find_mentions(ctx: QuestionContext, *, partial: bool) -> list[Mention]:
    """The mentions of the question, the sure ones first: two round trips, or one more for typos."""
    pointed_out = bracketed(ctx.question)
    plain = ctx.question.replace("[", " ").replace("]", " ")
    clauses = [part for part in _CLAUSE_END.split(plain) if part.strip()]
    texts = list(dict.fromkeys([*pointed_out, *clauses]))
    links = await ctx.graph.mentions_all(texts, misspelt=False)
    mentions = {
        link.entities: Mention(link.mention, link.entities, 1.0) for each in links for link in each
    }
    found = list(mentions.values())
    if partial:
        linked = {words_of(mention.text) for mention in found}
        found += await _partial(ctx, _phrases(pointed_out, clauses, linked))
    if not found:
        (misspelt,) = await ctx.graph.mentions_all([plain], exact=False)
        found = [Mention(link.mention, link.entities, 1.0) for link in misspelt]
    return _once(found)


def _phrases(pointed_out: Iterable[str], clauses: Iterable[str], linked: set[Form]) -> list[str]:
    """Runs of words that name nothing word for word: those in brackets whole, others in parts."""
    phrases = [text for text in pointed_out if not forms_in(text, linked)]
    for clause in clauses:
        for part in _PART_END.split(clause):
            words = [word for word in part.split() if word.casefold() not in _PASSED_OVER]
            for length in _WORDS:
                runs = (words[i : i + length] for i in range(len(words) - length + 1))
                phrases += [
                    " ".join(run)
                    for run in runs
                    if not forms_in(" ".join(run), linked)
                    and not any(_is_part(words_of(" ".join(run)), form) for form in linked)
                ]
    return list(dict.fromkeys(phrases))[:_MAX_PHRASES]


def _is_part(words: Form, form: Form) -> bool:
    """Whether the words stand in a name that is mentioned as a whole."""
    return any(form[i : i + len(words)] == words for i in range(len(form) - len(words) + 1))


async def _partial(ctx: QuestionContext, phrases: Sequence[str]) -> list[Mention]:
    """The names that have all words of a phrase; the more they are, the less each counts."""
    rows = await ctx.graph.link(phrases, limit=_MAX_NAMES + 1, fuzzy=False)
    found = []
    for phrase, linked in zip(phrases, rows, strict=True):
        words = {word for word in words_of(phrase) if word not in _JOINING}
        named = tuple(row.entity for row in linked if words <= set(words_of(row.matched)))
        if words and 0 < len(named) <= _MAX_NAMES:
            found.append(Mention(phrase, named, 1 / len(named)))
    return found


def _once(mentions: Sequence[Mention]) -> list[Mention]:
    """Each entity belongs to the surest of the mentions that may mean it."""
    seen: set[str] = set()
    kept = []
    for mention in sorted(mentions, key=lambda mention: -mention.weight):
        entities = tuple(entity for entity in mention.entities if entity.id not in seen)
        seen |= {entity.id for entity in entities}
        if entities:
            kept.append(Mention(mention.text, entities, mention.weight))
    return kept
