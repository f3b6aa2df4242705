"""Reads a sentence by the grammar: its forms, the likeliest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from kgdb.graph.forms.operators import Form
from kgdb.graph.retrieval.results import RelationInfo
from kgdb.graph.schema import Schema
from kgdb.methods.understanding.grammar.chart import Chart, Features
from kgdb.methods.understanding.grammar.composition import Composer
from kgdb.methods.understanding.grammar.lexicon import KINDS, lexicon
from kgdb.methods.understanding.grammar.meanings import Last, Set, Whole
from kgdb.methods.understanding.grammar.measuring import Measurer
from kgdb.methods.understanding.grammar.relation_linking import Linker
from kgdb.methods.understanding.grammar.schema_matching import Matcher
from kgdb.methods.understanding.grammar.sentence import Leaves, tokens_of, with_unsaid
from kgdb.methods.understanding.question import Anchor
from kgdb.methods.understanding.words import spoken

WIDTH = 6
"""Items of a category that a cell keeps."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A form that a sentence may mean."""

    whole: Whole
    score: float
    features: Features

    @property
    def form(self) -> Form:
        """What it is, or the first of what a claim says."""
        return self.whole.form


class Sentence:
    """A question or claim beside a schema, ready to be read once its words are encoded."""

    def __init__(
        self,
        text: str,
        anchors: Sequence[Anchor],
        schema: Schema,
        relations: Mapping[str, RelationInfo],
        language: str = "en",
        earlier: Mapping[int, Sequence[Set | Last]] | None = None,
    ) -> None:
        self._lexicon = lexicon(language)
        self._schema = schema
        self._relations = relations
        self._names = {name: spoken(name) for name in schema.names}
        wordings = self._wordings()
        self.tokens = tokens_of(text, anchors, self._lexicon, wordings)
        self._leaves = Leaves(self.tokens, self._lexicon, wordings, earlier or {})
        hints = {
            hint for *_, item in self._leaves.all() for hint in getattr(item.meaning, "hints", ())
        }
        self._texts = sorted({word.text for word in self._leaves.words()} | hints)

    def _wordings(self) -> list[str]:
        """The names of the schema as they are spoken, and the words that were taught for them."""
        taught = (word for words in self._schema.synonyms.values() for word in words)
        return sorted({*self._names.values(), *taught})

    @property
    def texts(self) -> list[str]:
        """What has to be encoded: words of the sentence, then names of the schema."""
        return [*self._texts, *self._names.values()]

    def matcher(self, vectors: NDArray[np.float32], *, by_letters: bool = False) -> Matcher:
        """The schema beside the words; ``vectors`` are those of :attr:`texts`.

        ``by_letters``: they tell nothing, for the encoder does not know the language.
        """
        vectors = np.zeros_like(vectors) if by_letters else vectors
        return Matcher(
            self._schema,
            self._relations,
            self._lexicon.words,
            {text: row for row, text in enumerate(self.texts)},
            {name: column for column, name in enumerate(self._names)},
            vectors @ vectors[len(self._texts) :].T,
            self._lexicon.units,
            by_letters,
        )

    def going_on(self, matcher: Matcher, weights: Mapping[str, float]) -> list[Candidate]:
        """The forms that it may mean where something of an earlier answer is in it, unsaid."""
        best: dict[Form, Candidate] = {}
        for place in range(len(self.tokens) + 1):
            tokens = with_unsaid(self.tokens, place)
            for each in self._parsed(replace(self._leaves, tokens=tokens), matcher, weights, "Q"):
                if each.form not in best or best[each.form].score < each.score:
                    best[each.form] = each
        return sorted(best.values(), key=lambda each: -each.score)

    def read(
        self, matcher: Matcher, weights: Mapping[str, float], *, claim: bool = False
    ) -> list[Candidate]:
        """The forms that the sentence may mean, by its :meth:`matcher`."""
        return self._parsed(self._leaves, matcher, weights, "CLAIM" if claim else "Q")

    def _parsed(
        self, leaves: Leaves, matcher: Matcher, weights: Mapping[str, float], root: str
    ) -> list[Candidate]:
        measurer = Measurer(matcher)
        composer = Composer(Linker(matcher, measurer, weights), measurer, weights)
        actions = {
            name: action for kind in KINDS for name, action in kind(composer).by_name().items()
        }
        chart = Chart(self._lexicon.productions, actions, weights, WIDTH)
        return [
            Candidate(each.meaning, each.score, each.features)
            for each in chart.parse(len(leaves.tokens), leaves.all(), root)
        ]
