"""Which entities texts name, found with the graph's full-text index over names.

Every run of words of a text is looked up as a phrase, and an entity counts as named when the run
is its whole name (whatever the case, diacritics and punctuation), or one of its aliases where no
entity has that name. Only when nothing is named exactly are the words looked up with one letter
wrong; the database can tell, so that all of it is one round trip. Many entities may have one name:
where that shows, another round trip brings them all.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, Self

from rapidfuzz import fuzz, process

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

# One token: a Chinese or Japanese character (its words are not set apart), or a run of letters,
# each with the marks that may stand apart from it (NFD).
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_RUN = rf"(?:[^\W{_CJK}][\u0300-\u036f]*)+"
_TOKEN = re.compile(rf"[{_CJK}]|{_RUN}(?:['’]{_RUN})*")
# Letters that are written without their mark but that Unicode does not take apart.
_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
    | {"’": "'"}
)
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
    more than :data:`SAME_NAME` of the name.
    """

    mention: str
    start: int
    end: int
    entities: tuple[Entity, ...]
    truncated: bool = False

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the entities."""
        return tuple(entity.id for entity in self.entities)


class Links(tuple[Link, ...]):
    """What a text names. ``without_id`` are nodes of such names that have no id: they are left out,
    and only an adopted graph may have such.
    """

    without_id: frozenset[str]

    def __new__(cls, links: Iterable[Link] = (), without_id: Iterable[str] = ()) -> Self:
        """The links in the order of their mentions."""
        made = super().__new__(cls, links)
        made.without_id = frozenset(without_id)
        return made


@dataclass(frozen=True, slots=True)
class _Span:
    text: str
    start: int
    end: int
    words: tuple[str, ...]

    @property
    def is_long(self) -> bool:
        """Whether a letter of it may be wrong: nearly every word is like some short name."""
        return len(self.text) >= _SHORTEST_MISSPELT


@dataclass(frozen=True, slots=True, eq=False)
class _Query:
    """What is looked up for one text: phrases, and words with a letter wrong."""

    spans: Sequence[_Span]
    phrases: Sequence[str]
    misspelt: str | None

    @classmethod
    def of(cls, spans: Sequence[_Span], *, exact: bool, misspelt: bool) -> _Query:
        phrases = list(dict.fromkeys(_phrase(span.text) for span in spans)) if exact else []
        long = [span for span in spans if span.is_long]
        return cls(spans, phrases, _fuzzy(long) if misspelt else None)

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
    bracketed = [list(_BRACKETED.finditer(text)) for text in texts]
    spans = [
        [span for match in given if (span := _span(match[1], match.start(1))).words]
        if given
        else _runs(text)
        for text, given in zip(texts, bracketed, strict=True)
    ]
    queries = [_Query.of(of_text, exact=exact, misspelt=misspelt) for of_text in spans]
    asked = [query for query in queries if query.is_lookup]
    found = iter(_named(graph, asked))
    return [
        _links(query, *next(found), pointed=bool(given)) if query.is_lookup else Links()
        for query, given in zip(queries, bracketed, strict=True)
    ]


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
    phrases = [
        _phrase(span.text)
        for span in query.spans
        if len(candidates := found.get(_phrase(span.text), ())) >= _FIRST
        and len(_called(span, candidates)) > _FEW
    ]
    if len(named.misspelt) >= _MISSPELT:
        closest = _closest([span for span in query.spans if span.is_long], named.misspelt)
        names = {entity.name for link in closest for entity in link.entities}
        phrases += [_phrase(name) for name in names if len(closest[0].entities) > _FEW]
    return phrases


def unbracketed(text: str) -> str:
    """A text without the brackets that point its mentions out."""
    return text.replace("[", "").replace("]", "")


def normalize(name: str) -> str:
    """A name as it is compared: words only, no case, no diacritics."""
    return " ".join(_words(name))


def _runs(question: str) -> list[_Span]:
    """Every run of words that could be a name."""
    tokens = list(_TOKEN.finditer(question))
    spans = []
    for first in range(len(tokens)):
        for last in range(first, min(first + MAX_WORDS, len(tokens))):
            start, end = tokens[first].start(), tokens[last].end()
            text = question[start:end]
            for name in dict.fromkeys((text, _POSSESSIVE.sub("", text))):
                span = _span(name, start)
                if not _FUNCTION_WORDS.issuperset(span.words):
                    spans.append(span)
    return spans


def _span(text: str, start: int) -> _Span:
    return _Span(text, start, start + len(text), _words(text))


def _links(
    query: _Query,
    found: NamedCandidates,
    more: Mapping[str, Sequence[Candidate]],
    *,
    pointed: bool,
) -> Links:
    """What one text names; ``pointed``: it points its names out."""
    candidates = {**dict(zip(query.phrases, found.exact, strict=True)), **more}
    links = [
        _link(span, called)
        for span in query.spans
        if (called := _called(span, candidates.get(_phrase(span.text), ())))
    ]
    kept = links if pointed else _without_overlaps(links)
    if not kept:
        misspelt = [*found.misspelt, *(c for each in more.values() for c in each)]
        kept = _closest([s for s in query.spans if s.is_long], misspelt)
    return Links(kept, found.without_id)


def _link(span: _Span, entities: Sequence[Entity]) -> Link:
    most = tuple(entities[:SAME_NAME])
    return Link(span.text, span.start, span.end, most, truncated=len(entities) > SAME_NAME)


def _called(span: _Span, candidates: Sequence[Candidate]) -> list[Entity]:
    said = " ".join(span.words)
    same = [c.entity for c in candidates if normalize(c.entity.name) == said]
    # Where names differ in case only, the one that is written as in the question is first.
    same.sort(key=lambda entity: (entity.name != span.text, entity.id))
    return same or [c.entity for c in candidates if said in map(normalize, c.aliases)]


def _without_overlaps(links: Sequence[Link]) -> list[Link]:
    """Longer mentions before shorter ones; capitals, where the question has them, before none."""
    cased = any(link.mention[:1].isupper() for link in links)

    def rank(link: Link) -> tuple[int, int, int]:
        words = len(_TOKEN.findall(link.mention))
        capital = cased and link.mention[:1].isupper() and link.start > 0
        return (-words, -capital, link.start)

    kept: list[Link] = []
    for candidate in sorted(links, key=rank):
        if all(candidate.end <= other.start or candidate.start >= other.end for other in kept):
            kept.append(candidate)
    names = [link for link in kept if _is_name(link)]
    return sorted(names or kept, key=lambda link: link.start)


def _is_name(link: Link) -> bool:
    """Written like a name rather than like a common word that happens to be an entity too."""
    return len(_TOKEN.findall(link.mention)) > 1 or not link.mention.islower()


def _fuzzy(spans: Sequence[_Span]) -> str | None:
    """A query for every word of the spans with one letter wrong."""
    words = {word for span in spans for word in span.words} - _FUNCTION_WORDS
    return " OR ".join(f"{word}~1" for word in sorted(words)) or None


def _closest(spans: Sequence[_Span], candidates: Sequence[Candidate]) -> list[Link]:
    runs = [" ".join(span.words) for span in spans]
    best: tuple[float, int, _Span] | None = None
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
    return [_link(best[2], sorted(set(entities)))]


def _phrase(text: str) -> str:
    # The index folds letters whose marks are part of them.
    escaped = unicodedata.normalize("NFC", text).replace("\\", r"\\").replace('"', r"\"")
    return f'"{escaped}"'


def _words(text: str) -> tuple[str, ...]:
    """The tokens as they are compared, without those of which nothing is left, as of a lone ゛."""
    return tuple(word for token in _TOKEN.findall(text) if (word := _fold(token)))


def _fold(token: str) -> str:
    plain = unicodedata.normalize("NFKD", token).casefold().translate(_LETTERS)
    # Without the marks, and without what compatibility forms bring along: ⑴ is (1).
    return "".join(c for c in plain if c.isalnum() or c in "_'").strip("'")
