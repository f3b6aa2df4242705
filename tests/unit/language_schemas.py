"""Small schemas whose names are of another language, and questions read over them by letters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from film_schema import ends, info

from kgdb.graph.forms.operators import Filter, Find, FindAll, Form
from kgdb.graph.schema import Schema
from kgdb.methods.understanding.grammar.grammar_reading import Candidate, Sentence
from kgdb.methods.understanding.question import Anchor
from kgdb.methods.understanding.reading_choice import reading_weights


@dataclass(frozen=True)
class World:
    """A schema with its names, each with its label, and values, each with label and property."""

    language: str
    schema: Schema
    names: Mapping[str, str]
    values: Mapping[str, tuple[str, str]]

    def read(self, text: str) -> list[Form]:
        """The forms that a question may mean, the likeliest first."""
        return [each.form for each in self.read_scored(text)]

    def read_scored(self, text: str) -> list[Candidate]:
        """The same with their scores."""
        anchors = [
            Anchor(name, at, at + len(name), Find(name), frozenset({label}))
            for name, label in self.names.items()
            if (at := text.find(name)) >= 0
        ]
        anchors += [
            Anchor(
                value,
                at,
                at + len(value),
                Filter(FindAll(label), key, "=", value),
                frozenset({label}),
                key,
                value,
            )
            for value, (label, key) in self.values.items()
            if (at := text.find(value)) >= 0
        ]
        sentence = Sentence(text, anchors, self.schema, {}, self.language)
        vectors = np.zeros((len(sentence.texts), 1), np.float32)
        return sentence.read(sentence.matcher(vectors, by_letters=True), reading_weights())


CHINESE = World(
    "zh",
    Schema(
        {"电影": 40, "人物": 90},
        {
            each.name: each
            for each in (
                info("上映年份", "date", "电影"),
                info("票房", "integer", "电影"),
                info("出生年份", "date", "人物"),
                info("城市", "text", "人物"),
            )
        },
        {
            each.relation: each
            for each in (
                ends("出演", "人物", "电影"),
                ends("导演", "人物", "电影"),
                ends("关注", "人物", "人物"),
            )
        },
    ),
    {"林晓雨": "人物", "陈建国": "人物", "夜航船": "电影", "雪线之上": "电影"},
    {"苏州": ("人物", "城市")},
)

GERMAN = World(
    "de",
    Schema(
        {"Buch": 40, "Autor": 30, "Verlag": 5, "Leser": 90},
        {
            each.name: each
            for each in (
                info("Erscheinungsjahr", "date", "Buch"),
                info("Seitenzahl", "integer", "Buch"),
                info("Preis", "integer", "Buch"),
                info("Geburtsjahr", "date", "Autor"),
                info("Land", "text", "Autor"),
                info("Alter", "integer", "Leser"),
                info("Wohnort", "text", "Leser"),
            )
        },
        {
            each.relation: each
            for each in (
                ends("SCHRIEB", "Autor", "Buch"),
                ends("ERSCHIEN_BEI", "Buch", "Verlag"),
                ends("LIEH", "Leser", "Buch"),
                ends("BEWUNDERT", "Autor", "Autor"),
            )
        },
    ),
    {
        "Edda Wolff": "Autor",
        "Jonas Kern": "Autor",
        "Glaszeit": "Buch",
        "Salzmond": "Buch",
        "Lindenverlag": "Verlag",
        "Anke Dorn": "Leser",
        "Susi Falk": "Leser",
    },
    {"Leipzig": ("Leser", "Wohnort"), "Schweiz": ("Autor", "Land")},
)
