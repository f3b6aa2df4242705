"""What may follow in a reply that has a schema, and how it comes to its end."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tiny import tiny_tokenizer

from kgdb.errors import ModelError
from kgdb.language import CompletionRequest
from kgdb.language.local.constraints import Constraint, Constraints

pytestmark = [pytest.mark.unit, pytest.mark.slow]

SCHEMA = {
    "type": "object",
    "properties": {
        "names": {"type": "array", "items": {"type": "string"}},
        "n": {"type": "number"},
        "last": {"enum": ["Ada", "Ada Weir", "Bo, and others", "Bo"]},
        "note": {"type": "string"},
    },
    "required": ["names", "n", "last"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def constraints() -> Constraints:
    tokenizer = tiny_tokenizer()
    return Constraints(tokenizer, len(tokenizer), {tokenizer.eos_token_id})


def written(constraints: Constraints, text: str) -> Constraint:
    """The constraint after a text, taken byte by byte."""
    tokenizer: Any = tiny_tokenizer()
    constraint = constraints.of(CompletionRequest("?", schema=SCHEMA))
    for token in [token for letter in text for token in tokenizer(letter).input_ids]:
        constraint.take(token)
    return constraint


def endings(constraint: Constraint) -> set[str]:
    """The texts that may follow in a reply that has to end."""
    tokenizer = tiny_tokenizer()
    return {tokenizer.decode([int(token)]) for token in np.flatnonzero(constraint.closing())}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # In a string a bracket is text: only a quotation mark ends it.
        ('{"names": ["a', {'"', '"]'}),
        ('{"names": ["]}', {'"', '"]'}),
        ('{"names": ["a\\"', {'"', '"]'}),
        ('{"names": ["a\\\\', {'"', '"]'}),
        # Items may be left out; so may be what need not be there.
        ('{"names": [', {"]"}),
        ('{"names": ["a"', {"]"}),
        ('{"names": [], "n": 1, "last": "Ada"', {"}"}),
        ('{"names": [], "n": 1, "last": "Ada", "note": "', {'"', '"}'}),
        # A number could go on for ever.
        ('{"names": [], "n": 1.5', {",", ', "'}),
        # A listed value ends as soon as it may.
        ('{"names": [], "n": 1, "last": "Ada', {'"', '"}'}),
    ],
)
def test_a_reply_ends_as_soon_as_its_schema_allows(
    constraints: Constraints, text: str, expected: set[str]
) -> None:
    ends = endings(written(constraints, text))
    assert ends
    assert ends <= expected
    assert min(expected, key=len) in ends


def test_where_nothing_closes_the_model_chooses(constraints: Constraints) -> None:
    for text in ('{"names": [], "n": ', '{"names": [], "n": 1, "last": "B'):
        constraint = written(constraints, text)
        assert (constraint.closing() == constraint.allowed()).all()
        assert constraint.allowed().any()


def test_what_every_reply_begins_with_is_not_left_to_the_model(constraints: Constraints) -> None:
    constraint = constraints.of(CompletionRequest("?", schema=SCHEMA))
    tokenizer = tiny_tokenizer()
    for _ in range(2):  # begun anew, it is the same
        assert '{"names":'.startswith(tokenizer.decode(constraint.start()))
        assert constraint.start()


def test_the_end_may_follow_only_a_whole_reply(constraints: Constraints) -> None:
    end = tiny_tokenizer().eos_token_id
    grammar = constraints.of(CompletionRequest("?", grammar='start: "a"+'))
    assert not grammar.allowed()[end]
    assert not grammar.complete
    grammar.take(tiny_tokenizer()("a").input_ids[0])
    assert grammar.allowed()[end]
    assert grammar.complete
    assert not grammar.over
    with pytest.raises(ModelError, match="left its constraint"):
        grammar.take(tiny_tokenizer()("b").input_ids[0])
