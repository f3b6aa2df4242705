"""Which entities texts name, found with the graph's full-text index over names.

Every run of words of a text is looked up as a phrase, and an entity counts as named when the run
is its whole name (whatever the case, diacritics and punctuation), or one of its aliases where no
entity has that name, or else its name without a bracket at the end: *Queen* for *Queen (band)*. A
word that only says what the name behind it is (*the song* Harbour Lights) names nothing. Only when
nothing is named exactly are the words looked up with one letter wrong; the database can tell, so
that all of it is one round trip. Many entities may have one name: where that shows, another round
trip brings them all.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, Self

from rapidfuzz import fuzz, process

from kgdb.graph.linking.called import Span, called, called_bare
from kgdb.graph.linking.name_words import TOKEN, normalize, without_ending
from kgdb.graph.linking.proper_names import (
    Place,
    is_kind_of_next,
    is_plural_of,
    unknown_names,
)
from kgdb.graph.retrieval.results import Candidate, NamedCandidates
from kgdb.values import Entity

MAX_WORDS = 12
SAME_NAME = 1000
"""Entities of one name that a mention may stand for. Of more, so many are taken: it is told."""

_FEW = 5
"""Entities of one name; where more are found than these, which is rare, all are looked for."""

_FIRST = 20
"""Candidates for a phrase, of which most have longer names."""

CLOSE = 85.0
"""Similarity (0–100) with a run of the question's words that a misspelt name must reach."""

_SHORTEST_MISSPELT = 4
_MISSPELT = 50
"""Candidates for a misspelt name."""

_POSSESSIVE = re.compile(r"['’]s$")
_BRACKETED = re.compile(r"\[([^\[\]]+)\]")

# Words that questions are made of: a run of nothing else names no entity.

_FUNCTION_WORDS = frozenset(
    "a about all an and any are as at be been by can could did do does during each for from give "
    "had has have he her his how i in into is it its list many me much name of on or other people "
    "same share she some tell than that the their them there these they this those to under was "
    "we were what when where which who whom whose why will with would you".split()
)


@dataclass(frozen=True, slots=True)
class Link:
    """A mention in the question and the entities it may stand for, best first.

    ``start`` and ``end`` are its place in the question, in characters. ``truncated``: there are
    more than :data:`SAME_NAME` of the name. ``bare``: their names are the mention only without the
    bracket at their end. ``near``: they are only similar to it.
    """

    mention: str
    start: int
    end: int
    entities: tuple[Entity, ...]
    truncated: bool = False
    bare: bool = False
    near: bool = False

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the entities."""
        return tuple(entity.id for entity in self.entities)

    @property
    def namesakes(self) -> tuple[str, ...]:
        """The names that only their brackets tell apart; none if there is one name only."""
        names = tuple(sorted({entity.name for entity in self.entities}))
        return names if self.bare and len(set(map(normalize, names))) > 1 else ()


class Links(tuple[Link, ...]):
    """What a text names. ``without_id`` are names of nodes without an id, as adopted graphs have.

    Left out are ``kinds``, words for what the name behind them is, and ``common``, names that the
    graph writes small, where others are written like names.
    """

    without_id: frozenset[str]
    kinds: tuple[str, ...]
    common: tuple[Link, ...]

    def __new__(
        cls,
        links: Iterable[Link] = (),
        without_id: Iterable[str] = (),
        kinds: Iterable[str] = (),
        common: Iterable[Link] = (),
    ) -> Self:
        """The links in the order of their mentions."""
        made = super().__new__(cls, links)
        made.without_id = frozenset(without_id)
        made.kinds = tuple(kinds)
        made.common = tuple(common)
        return made


@dataclass(frozen=True, slots=True, eq=False)
class _Query:
    """What is looked up for one text: phrases, and words with a letter wrong.

    ``pointed``: the text points its names out.
    """

    text: str
    spans: Sequence[Span]
    phrases: Sequence[str]
    misspelt: str | None
    pointed: bool

    @classmethod
    def of(cls, text: str, *, exact: bool, misspelt: bool) -> _Query:
        given = list(_BRACKETED.finditer(text))
        pointed = [Span.of(text, *match.span(1)) for match in given]
        spans = [span for span in pointed if span.words] if given else _runs(text)
        phrases = list(dict.fromkeys(_phrase(span.text) for span in spans)) if exact else []
        long = [span for span in spans if _is_long(span)]
        return cls(text, spans, phrases, _fuzzy(long) if misspelt else None, bool(given))

    @property
    def is_lookup(self) -> bool:
        """Whether there is anything to look up."""
        return bool(self.phrases or self.misspelt)


class NameIndex(Protocol):
    """What finds entities by their names: a graph."""

    def named(
        self,
        phrases: Sequence[Sequence[str]],
        misspelt: Sequence[str | None],
        *,
        limit: int,
        misspelt_limit: int,
    ) -> list[NamedCandidates]:
        """See :meth:`kgdb.graph.Graph.named`."""


def link(
    graph: NameIndex, texts: Sequence[str], *, exact: bool = True, misspelt: bool = True
) -> list[Links]:
    """For each text the entities it names, in the order of their mentions, which never overlap.

    A mention in square brackets (``who directed [Heat]``) is taken as it stands and hides
    everything outside brackets. Nothing found: an empty tuple. One round trip for all texts, and
    one more where there are many entities of one name. ``exact`` and ``misspelt``: which of the two
    are looked for.
    """
    queries = [_Query.of(text, exact=exact, misspelt=misspelt) for text in texts]
    found = _linked(graph, [query for query in queries if query.is_lookup])
    # Only a kind is found exactly, so that the database did not look for the misspelt name behind.
    again = [
        _Query.of(query.text, exact=False, misspelt=True)
        for query, links in found.items()
        if exact and query.misspelt and not links and links.kinds
    ]
    found_again = {query.text: links for query, links in _linked(graph, again).items()}
    return [found_again.get(query.text) or found.get(query, Links()) for query in queries]


def _linked(graph: NameIndex, queries: Sequence[_Query]) -> dict[_Query, Links]:
    """The links of each query."""
    found = _named(graph, queries)
    return {query: _links(query, *each) for query, each in zip(queries, found, strict=True)}


def _named(
    graph: NameIndex, queries: Sequence[_Query]
) -> list[tuple[NamedCandidates, Mapping[str, Sequence[Candidate]]]]:
    """The candidates for each text, and, by phrase, more for those that many are called."""
    if not queries:
        return []
    found = graph.named(
        [query.phrases for query in queries],
        [query.misspelt for query in queries],
        limit=_FIRST,
        misspelt_limit=_MISSPELT,
    )
    many = [_many(query, named) for query, named in zip(queries, found, strict=True)]
    phrases = list(dict.fromkeys(phrase for of_text in many for phrase in of_text))
    more: dict[str, Sequence[Candidate]] = {}
    if phrases:
        # Names that are longer than the phrase are among the candidates, after those that are not.
        (all_named,) = graph.named([phrases], [None], limit=2 * SAME_NAME, misspelt_limit=1)
        more = dict(zip(phrases, all_named.exact, strict=True))
    return [
        (named, {phrase: more[phrase] for phrase in of_text})
        for named, of_text in zip(found, many, strict=True)
    ]


def _many(query: _Query, named: NamedCandidates) -> list[str]:
    """The phrases of which surely not all that are called so are among the candidates."""
    found = dict(zip(query.phrases, named.exact, strict=True))
    phrases = []
    parts: list[Span] = []
    for span in query.spans:
        candidates = found.get(_phrase(span.text), ())
        if len(candidates) >= _FIRST and (number := len(called(span, candidates))) > _FEW:
            phrases.append(_phrase(span.text))
        elif len(candidates) >= _FIRST and not number:
            parts.append(span)
    phrases += _without_their_bracket(query, parts, found)
    if len(named.misspelt) >= _MISSPELT:
        closest = _closest([span for span in query.spans if _is_long(span)], named.misspelt)
        names = {entity.name for link in closest for entity in link.entities}
        phrases += [_phrase(name) for name in names if len(closest[0].entities) > _FEW]
    return phrases


def _without_their_bracket(
    query: _Query, parts: Sequence[Span], found: Mapping[str, Sequence[Candidate]]
) -> list[str]:
    """The phrases in many names that may be one without its bracket.

    They are written like a name, and neither they nor the words around them are one.
    """
    parts = [s for s in parts if query.pointed or (s.text[0].isupper() and s.start > 0)]
    names = [s for s in query.spans if parts and called(s, found.get(_phrase(s.text), ()))]
    return [
        _phrase(span.text)
        for span in parts
        if not any(name.start <= span.start and span.end <= name.end for name in names)
    ]


def bracketed(text: str) -> tuple[str, ...]:
    """The mentions that brackets point out, in the order of the text."""
    return tuple(_BRACKETED.findall(text))


def unbracketed(text: str) -> str:
    """A text without the brackets that point its mentions out."""
    return text.replace("[", "").replace("]", "")


def _runs(question: str) -> list[Span]:
    """Every run of words that could be a name."""
    tokens = list(TOKEN.finditer(question))
    spans = []
    for first in range(len(tokens)):
        for last in range(first, min(first + MAX_WORDS, len(tokens))):
            start, end = tokens[first].start(), tokens[last].end()
            if question[start:end].count("(") > question[start:end].count(")"):
                end += question.startswith(")", end)
            text = question[start:end]
            alone = (text, _POSSESSIVE.sub("", text), *without_ending(text, tokens[last][0]))
            for name in dict.fromkeys(alone):
                span = Span.of(question, start, start + len(name))
                if not _FUNCTION_WORDS.issuperset(span.words):
                    spans.append(span)
    return spans


def _links(query: _Query, found: NamedCandidates, more: Mapping[str, Sequence[Candidate]]) -> Links:
    """What one text names."""
    candidates = {**dict(zip(query.phrases, found.exact, strict=True)), **more}
    links = []
    for span in query.spans:
        of_span = candidates.get(_phrase(span.text), ())
        if entities := called(span, of_span):
            links.append(_link(span, entities))
        elif entities := called_bare(span, of_span):
            links.append(_link(span, entities, bare=True))
    kept, kinds, unknown = (links, [], []) if query.pointed else _chosen(query.text, links)
    if not kept:
        misspelt = [*found.misspelt, *(c for each in more.values() for c in each)]
        kept = _misspelt(query, misspelt, unknown)
    taken = [(link.start, link.end) for link in (*kept, *kinds)]
    common = [
        link
        for link in _without_overlaps(links)
        if any(link.mention.islower() and each.name == link.mention for each in link.entities)
        and all(link.end <= start or link.start >= end for start, end in taken)
    ]
    return Links(kept, found.without_id, (kind.mention for kind in kinds), common)


def _link(
    span: Span, entities: Sequence[Entity], *, bare: bool = False, near: bool = False
) -> Link:
    most, more = tuple(entities[:SAME_NAME]), len(entities) > SAME_NAME
    return Link(span.text, span.start, span.end, most, truncated=more, bare=bare, near=near)


def _chosen(text: str, links: Sequence[Link]) -> tuple[list[Link], list[Link], list[Place]]:
    """The links that count, those of words for a kind, and the places of names without a link."""
    kept = _without_overlaps(links)
    names = [(link.start, link.end) for link in kept if _is_name(link)]
    unknown = unknown_names(text, names, _FUNCTION_WORDS)
    kinds = [
        link for link in kept if is_kind_of_next(text, (link.start, link.end), [*names, *unknown])
    ]
    kept = [link for link in kept if link not in kinds]
    kept = [link for link in kept if _is_name(link)] or kept
    # A common word is rather a name that is written so than one that has a bracket, too.
    whole = [link for link in kept if not link.bare or _is_name(link)]
    return sorted(whole or kept, key=lambda link: link.start), kinds, unknown


def _without_overlaps(links: Sequence[Link]) -> list[Link]:
    """Longer mentions before shorter ones; capitals, where the question has them, before none."""
    cased = any(link.mention[:1].isupper() for link in links)

    def rank(link: Link) -> tuple[int, int, int]:
        words = len(TOKEN.findall(link.mention))
        capital = cased and link.mention[:1].isupper() and link.start > 0
        return (-words, -capital, link.start)

    kept: list[Link] = []
    for candidate in sorted(links, key=rank):
        if all(candidate.end <= other.start or candidate.start >= other.end for other in kept):
            kept.append(candidate)
    return kept


def _is_name(link: Link) -> bool:
    """Written like a name rather than like a common word that happens to be an entity too."""
    return len(TOKEN.findall(link.mention)) > 1 or not link.mention.islower()


def _is_long(span: Span) -> bool:
    """Whether a letter of it may be wrong: nearly every word is like some short name."""
    return len(span.text) >= _SHORTEST_MISSPELT


def _fuzzy(spans: Sequence[Span]) -> str | None:
    """A query for every word of the spans with one letter wrong."""
    words = {word for span in spans for word in span.words} - _FUNCTION_WORDS
    return " OR ".join(f"{word}~1" for word in sorted(words)) or None


def _misspelt(
    query: _Query, candidates: Sequence[Candidate], unknown: Sequence[Place]
) -> list[Link]:
    """The name that is most like words of the text; words with a capital come first."""
    spans = [span for span in query.spans if _is_long(span)]
    names = [s for s in spans if any(s.start < end and start < s.end for start, end in unknown)]
    if not names:
        return _closest(spans, candidates)
    if closest := _closest(names, candidates):
        return closest
    common = [s for s in spans if not is_kind_of_next(query.text, (s.start, s.end), unknown)]
    return [
        link
        for link in _closest(common, candidates)
        # "Which songs did Zorn write?" does not ask about a node called Song.
        if not is_plural_of(normalize(link.mention), normalize(link.entities[0].name))
    ]


def _closest(spans: Sequence[Span], candidates: Sequence[Candidate]) -> list[Link]:
    runs = [" ".join(span.words) for span in spans]
    best: tuple[float, int, Span] | None = None
    entities: list[Entity] = []
    for candidate in candidates:
        for name in map(normalize, (candidate.entity.name, *candidate.aliases)):
            closest = process.extractOne(name, runs, scorer=fuzz.ratio, score_cutoff=CLOSE)
            if closest is None:
                continue
            _, score, at = closest
            found = (score, len(name), spans[at])
            if best is None or found[:2] > best[:2]:
                best, entities = found, []
            if found == best:
                entities.append(candidate.entity)
    if best is None:
        return []
    return [_link(best[2], sorted(set(entities)), near=True)]


def _phrase(text: str) -> str:
    # The index folds letters whose marks are part of them.
    escaped = unicodedata.normalize("NFC", text).replace("\\", r"\\").replace('"', r"\"")
    return f'"{escaped}"'
