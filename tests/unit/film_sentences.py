"""Sentences about films, read by the grammar by the letters of their words alone."""

from __future__ import annotations

import json
from importlib.resources import files

import numpy as np
from film_schema import SCHEMA

from kgdb.graph.forms.operators import EntityForm, Find, FindAll, Relate
from kgdb.methods.understanding.grammar import grammar_reading
from kgdb.methods.understanding.grammar.grammar_reading import Candidate, Sentence
from kgdb.methods.understanding.question import Anchor

NAMES = {"Ada": "Person", "Ben": "Person", "Dune": "Film", "Heat": "Film", "Lumen": "Studio"}
ADA, BEN, DUNE, HEAT, LUMEN = map(Find, NAMES)
FILMS, PEOPLE = FindAll("Film"), FindAll("Person")
WEIGHTS = json.loads(
    files(grammar_reading.__package__).joinpath("weights.json").read_text(encoding="utf-8")
)["weights"]


def read(text: str, *, claim: bool = False) -> list[Candidate]:
    anchors = [
        Anchor(name, at, at + len(name), Find(name), frozenset({label}))
        for name, label in NAMES.items()
        if (at := text.find(name)) >= 0
    ]
    sentence = Sentence(text, anchors, SCHEMA, {})
    vectors = np.zeros((len(sentence.texts), 1), np.float32)
    return sentence.read(vectors, WEIGHTS, claim=claim)


def directed(by: EntityForm, *, anew: bool = False) -> Relate:
    return Relate(by, "DIRECTED", anew=anew)


def directors(of: EntityForm, *, anew: bool = False) -> Relate:
    return Relate(of, "DIRECTED", "in", anew=anew)
