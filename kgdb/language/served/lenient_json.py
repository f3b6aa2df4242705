"""Reading replies of models that nothing holds to the form that was asked for.

A reply is parsed, never evaluated, and never searched for what it might mean: it is a choice or
it is none, it has JSON of the right form in it or it has not.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from jsonschema import Draft202012Validator, SchemaError

from kgdb.errors import ModelError

_AROUND = " \t\r\n\"'`*.。“”「」-–•"
"""What models like to put around a choice."""

_TRIED = 50
"""Places of a reply at which JSON may begin."""


def choice_of(reply: str, choices: Sequence[str]) -> str | None:
    """The one of the choices that a reply is, as text or as ``{"choice": …}``."""
    given = json_of(reply, {"type": "object", "required": ["choice"]})
    if given is not None:
        reply = given["choice"] if isinstance(given["choice"], str) else ""
    if reply in choices:
        return reply
    plain = reply.strip(_AROUND).casefold()
    found = [choice for choice in choices if choice.strip(_AROUND).casefold() == plain]
    return found[0] if len(found) == 1 and plain else None


def check_schema(schema: Mapping[str, Any]) -> None:
    """Raises :class:`ModelError` for what is no JSON schema."""
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise ModelError(f"The schema of a reply is no JSON schema: {error.message}") from error


def json_of(reply: str, schema: Mapping[str, Any]) -> Any | None:
    """The first JSON in a reply, fenced or with words around it, that the schema allows."""
    validator, decoder = Draft202012Validator(schema), json.JSONDecoder()
    starts = [place for place, letter in enumerate(reply) if letter in "{["]
    for start in starts[:_TRIED]:
        try:
            value, _ = decoder.raw_decode(reply, start)
        except (ValueError, RecursionError):
            continue
        if validator.is_valid(value):
            return value
    return None
