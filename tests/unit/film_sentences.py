"""Sentences about films, read by the grammar by the letters of their words alone."""

from __future__ import annotations

import numpy as np
from film_schema import SCHEMA

from kgdb.graph.forms.operators import EntityForm, Find, FindAll, Relate
from kgdb.graph.retrieval.results import RelationInfo
from kgdb.graph.schema import Schema
from kgdb.methods.understanding.grammar.grammar_reading import Candidate, Sentence
from kgdb.methods.understanding.question import Anchor
from kgdb.methods.understanding.reading_choice import reading_weights

NAMES = {"Ada": "Person", "Ben": "Person", "Dune": "Film", "Heat": "Film", "Lumen": "Studio"}
ADA, BEN, DUNE, HEAT, LUMEN = map(Find, NAMES)
FILMS, PEOPLE = FindAll("Film"), FindAll("Person")
WEIGHTS = reading_weights()


def read(text: str, *, claim: bool = False, schema: Schema = SCHEMA) -> list[Candidate]:
    anchors = [
        Anchor(name, at, at + len(name), Find(name), frozenset({label}))
        for name, label in NAMES.items()
        if (at := text.find(name)) >= 0
    ]
    relations = {
        name: RelationInfo(name, 50, None, None, None, None, synonyms=words)
        for name, words in schema.synonyms.items()
    }
    sentence = Sentence(text, anchors, schema, relations)
    vectors = np.zeros((len(sentence.texts), 1), np.float32)
    return sentence.read(sentence.matcher(vectors), WEIGHTS, claim=claim)


def directed(by: EntityForm, *, anew: bool = False) -> Relate:
    return Relate(by, "DIRECTED", anew=anew)


def directors(of: EntityForm, *, anew: bool = False) -> Relate:
    return Relate(of, "DIRECTED", "in", anew=anew)
