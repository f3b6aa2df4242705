"""Which end of a relation a verb speaks of, by the words of both."""

from __future__ import annotations

import numpy as np
import pytest
from film_schema import SCHEMA

from kgdb.language.text.roles.vocabulary import Role
from kgdb.methods.understanding.chains_of_schema import SchemaHop
from kgdb.methods.understanding.cues import cues
from kgdb.methods.understanding.grammar.meanings import Word
from kgdb.methods.understanding.grammar.schema_matching import Matcher

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("verb", "preposition", "role", "relation", "is_head"),
    [
        ("stood in for by", None, "subject", "stoodInForBy", True),
        ("stood in for", "by", "object", "stoodInForBy", True),
        ("stood in for", None, "subject", "stoodInForBy", False),
        ("maintained", "by", "object", "maintained_by", True),
        ("maintains", None, "subject", "maintained_by", False),
        ("reports", "to", "subject", "reports_to", True),
        ("visited", None, "subject", "make a visit", True),
        ("cured", "with", "object", "curedWith", False),
        ("cures", None, "subject", "curedWith", None),
        ("released", None, "subject", "released_under", None),
        ("directed", None, "subject", "DIRECTED", True),
        ("directed", "by", "object", "DIRECTED", False),
    ],
)
def test_who_the_verb_speaks_of_is_the_head(
    verb: str, preposition: str | None, role: Role, relation: str, is_head: bool | None
) -> None:
    matcher = Matcher(SCHEMA, {}, cues("en"), {}, {}, np.zeros((0, 0), np.float32), {})
    word = Word(verb, 0, 1)
    runs = [
        matcher.verb_direction(word, preposition, role, SchemaHop(relation, direction, None))
        for direction in ("in", "out")
    ]
    assert runs == ([None, None] if is_head is None else [is_head, not is_head])


def test_a_relation_without_direction_runs_either_way() -> None:
    matcher = Matcher(SCHEMA, {}, cues("en"), {}, {}, np.zeros((0, 0), np.float32), {})
    hop = SchemaHop("stoodInForBy", "any", None)
    assert matcher.verb_direction(Word("stands in for", 0, 1), None, "subject", hop)
