"""What a question names: entities, and values of properties."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from kgdb.graph import Link
from kgdb.graph.forms.named_values import NamedValue
from kgdb.graph.forms.operators import Filter, Find, FindAll
from kgdb.graph.schema import Schema
from kgdb.language.text.word_classes import WordClasses
from kgdb.methods.context import QuestionContext
from kgdb.methods.understanding.question import Anchor
from kgdb.methods.understanding.segmentation import CHINESE
from kgdb.methods.understanding.words import likeness, singular, words_of

_LONGEST = 6
_LONGEST_CHINESE = 10
_CODE = re.compile(r"(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[^\W\d_])[\w-]*\w")
_WORD = re.compile(r"[\w.&'/-]*\w\.?")


async def find_anchors(
    ctx: QuestionContext, schema: Schema, cues: WordClasses
) -> tuple[Anchor, ...]:
    """The anchors of the question, in their order; of those that overlap the longest."""
    links = [*await ctx.graph.mentions(ctx.question), *await _coded(ctx)]
    places: dict[str, set[tuple[int, int]]] = defaultdict(set)
    for text, span in _texts(ctx.question, cues):
        places[text].add(span)
    known = {word for name in schema.wordings for word in words_of(name)}
    texts = [text for text in places if not _is_known(text, known, cues)]
    labels, values = await ctx.graph.named(
        [entity.id for link in links for entity in link.entities], texts
    )
    found = [
        anchor
        for link in links
        if not _is_schema_word(link, schema, cues) and (anchor := _of_link(link, labels, schema))
    ]
    for value in values:
        for span in sorted(places[value.value.lower()]):
            found += _of_value(value, span)
    found.sort(key=lambda a: (a.start - a.end, a.key is not None, a.start))
    kept: list[Anchor] = []
    for anchor in found:
        same = next(
            (n for n, k in enumerate(kept) if (k.start, k.end) == (anchor.start, anchor.end)), None
        )
        if same is not None:
            kept[same] = replace(kept[same], others=(*kept[same].others, anchor))
        elif all(anchor.end <= other.start or anchor.start >= other.end for other in kept):
            kept.append(anchor)
    return tuple(sorted(kept, key=lambda anchor: anchor.start))


async def _coded(ctx: QuestionContext) -> list[Link]:
    """What goes by its label and a code, where the code stands alone: *NW101*, *Flight NW101*.

    A number alone names nothing: it may be an amount or a year.
    """
    labels = [source.label for source in ctx.graph.info.names if source.with_label]
    codes = [found for found in _CODE.finditer(ctx.question) if labels]
    names = [(code, f"{label} {code[0]}") for code in codes for label in labels]
    links = await ctx.graph.mentions_all([name for _, name in names]) if names else []
    return [
        replace(link, mention=code[0], start=code.start(), end=code.end())
        for (code, name), found in zip(names, links, strict=True)
        for link in found
        if link.entities[0].name.casefold() == name.casefold()
    ]


def _is_known(text: str, known: set[str], cues: WordClasses) -> bool:
    """Whether a word in lower case has another meaning than that of a value."""
    if " " in text or not text.isalpha():
        return False
    return text in cues.light or any(likeness(text, word, cues) for word in known)


def _is_schema_word(link: Link, schema: Schema, cues: WordClasses) -> bool:
    """Whether a name that is only similar is a word for a label: *product*, not *Produce*."""
    mention = link.mention.lower()
    if any(entity.name.lower() == mention for entity in link.entities):
        return False
    return any(likeness(mention, label.lower(), cues) for label in schema.labels)


def _of_link(link: Link, labels: dict[str, list[str]], schema: Schema) -> Anchor | None:
    known = frozenset(
        label for id in link.ids for label in labels.get(id, ()) if label in schema.labels
    )
    if not known:
        return None
    form = Find(link.entities[0].name, link.ids)
    return Anchor(link.mention, link.start, link.end, form, known)


def _of_value(value: NamedValue, span: tuple[int, int]) -> Iterator[Anchor]:
    if value.label is None:
        yield Anchor(
            value.value, *span, None, frozenset(), value.property, value.value, value.relation
        )
        return
    form = Filter(FindAll(value.label), value.property, "=", value.value)
    yield Anchor(value.value, *span, form, frozenset({value.label}), value.property, value.value)


def _texts(question: str, cues: WordClasses) -> Iterator[tuple[str, tuple[int, int]]]:
    """Runs of words that may be values, in lower case, with their places."""
    if not cues.spaced:
        yield from _chinese_texts(question, cues)
    words = [found.span() for found in _WORD.finditer(question)]
    for first in range(len(words)):
        for last in range(first, min(first + _LONGEST, len(words))):
            start, end = words[first][0], words[last][1]
            for text in {question[start:end].lower(), question[start:end].lower().rstrip(".?!'")}:
                inner: Sequence[str] = text.split()
                if all(word in cues.stop for word in inner) or text.isdigit() or not text:
                    continue
                yield text, (start, start + len(text))
                for one in singular(text):
                    yield one, (start, start + len(text))  # strikers, comedies, first officers


def _chinese_texts(question: str, cues: WordClasses) -> Iterator[tuple[str, tuple[int, int]]]:
    """The parts of runs of Chinese characters, of which any may be a value."""
    for run in CHINESE.finditer(question):
        for start in range(run.start(), run.end()):
            for end in range(start + 2, min(start + _LONGEST_CHINESE, run.end()) + 1):
                if question[start:end] not in cues.stop:
                    yield question[start:end], (start, end)
