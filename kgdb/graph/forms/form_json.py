"""Logical forms as JSON: read with errors that tell the place, written, and their JSON schema.

An operator is an object: ``{"op": "Relate", "form": {…}, "relation": "DIRECTED"}``. What has a
default may be left out. How a condition compares, the field ``op`` in Python, is ``comparator``.
The schema names this graph's labels, properties and relations as the only ones, so that it also
serves as the grammar of a language model's constrained output.
"""

from __future__ import annotations

import json
import math
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any

from kgdb.errors import UsageError
from kgdb.graph.forms import operators
from kgdb.graph.forms.operators import FORMS, Condition, Form
from kgdb.graph.schema import Schema
from kgdb.text_arguments import is_valid_utf8
from kgdb.wording import listed, short

_NAMES = {kind.__name__: kind for kind in FORMS}
_VALUES = (bool, int, float, str)

_RANKED = ("integer", "float", "date", "duration")
"""Relations to such values are named as properties, too."""

DEEPEST = 40
"""Operators inside each other."""


def read_form(value: object) -> Form:
    """A form from JSON: a text, or what :func:`json.loads` gives.

    Raises :class:`UsageError` with the place of what is wrong.
    """
    if isinstance(value, str | bytes):
        try:
            value = json.loads(value, parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            raise UsageError(
                f"The form is no JSON: {error}.",
                hint='Expected an operator: {"op": "FindAll", "label": "Movie"}',
            ) from error
    form: Form = _operator(value, FORMS, "form")
    return form


def _no_number(constant: str) -> float:
    raise ValueError(f"{constant} is not a number")


def form_to_dict(form: Form | Condition) -> dict[str, Any]:
    """The form as :func:`read_form` reads it, without what has its default."""
    shown: dict[str, Any] = {} if isinstance(form, Condition) else {"op": type(form).__name__}
    for each in fields(form):
        value = getattr(form, each.name)
        if value == each.default:
            continue
        key = json_name(each)
        if is_dataclass(value):
            shown[key] = form_to_dict(value)  # type: ignore[arg-type]
        elif isinstance(value, tuple):
            shown[key] = [form_to_dict(v) if is_dataclass(v) else v for v in value]  # type: ignore[arg-type]
        else:
            shown[key] = value
    return shown


def form_schema(schema: Schema) -> dict[str, Any]:
    """The JSON schema of forms over a graph."""
    names = {
        "relation": sorted(schema.relations),
        "label": sorted(schema.labels),
        "property": sorted(
            set(schema.properties)
            | {name for name, ends in schema.relations.items() if ends.value_type in _RANKED}
            | {p.name for ends in schema.relations.values() for p in ends.properties}
        ),
    }
    names["of"] = names["qualifier"] = names["property"]
    defined = {kind.__name__: _object_schema(kind, names) for kind in (*FORMS, Condition)}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": defined,
        "anyOf": [_reference(kind) for kind in FORMS],
    }


def _object_schema(kind: type[Any], names: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    properties: dict[str, Any] = {} if kind is Condition else {"op": {"const": kind.__name__}}
    required = list(properties)
    hints = _hints(kind)
    for each in fields(kind):
        known = names.get(each.name)
        is_text = str in _alternatives(hints[each.name])
        properties[json_name(each)] = (
            {"enum": list(known)} if known and is_text else _type_schema(hints[each.name])
        )
        if _is_required(each):
            required.append(json_name(each))
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _type_schema(hint: Any) -> dict[str, Any]:
    if typing.get_origin(hint) is typing.Literal:
        return {"enum": list(typing.get_args(hint))}
    if typing.get_origin(hint) is tuple:
        return {"type": "array", "items": _type_schema(typing.get_args(hint)[0])}
    schemas: list[dict[str, Any]] = []
    for kind in _alternatives(hint):
        if kind is type(None):
            continue
        if typing.get_origin(kind) is typing.Literal:
            schemas.append(_type_schema(kind))
        elif is_dataclass(kind):
            schemas.append(_reference(kind))
        else:
            schemas.append({"type": _JSON_TYPES[kind]})
    return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}


_JSON_TYPES = {bool: "boolean", int: "integer", float: "number", str: "string"}


def _reference(kind: Any) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{kind.__name__}"}


def _hints(kind: type[Any]) -> Mapping[str, Any]:
    return typing.get_type_hints(kind, vars(operators))


def _alternatives(hint: Any) -> tuple[Any, ...]:
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        return tuple(one for arg in typing.get_args(hint) for one in _alternatives(arg))
    return (hint,)


def json_name(each: Field[Any]) -> str:
    """What a field is called in JSON, where ``op`` names the operator."""
    return "comparator" if each.name == "op" else each.name


def _is_required(each: Field[Any]) -> bool:
    return each.default is MISSING and each.default_factory is MISSING


def _operator(value: object, allowed: Sequence[type[Any]], place: str) -> Any:
    names = [kind.__name__ for kind in allowed]
    if place.count(".") > DEEPEST:
        raise UsageError(
            f"The form has operators more than {DEEPEST} deep.", hint="Ask for less at once."
        )
    if not isinstance(value, Mapping) or "op" not in value:
        raise _wrong(place, value, f'an object with "op": {listed(names)}')
    if value["op"] not in names:
        raise _wrong(f"{place}.op", value["op"], listed(names))
    return _object(_NAMES[value["op"]], {k: v for k, v in value.items() if k != "op"}, place)


def _object(kind: type[Any], value: Mapping[str, Any], place: str) -> Any:
    hints = _hints(kind)
    names = {json_name(each): each.name for each in fields(kind)}
    for name in value:
        if name not in names:
            raise UsageError(
                f"{place} has the field {short(name)}, which {kind.__name__} does not have.",
                hint=f"Its fields are {listed(names)}.",
            )
    missing = [
        json_name(each)
        for each in fields(kind)
        if _is_required(each) and json_name(each) not in value
    ]
    if missing:
        raise UsageError(
            f"{place} lacks {listed(missing)}.", hint=f"{kind.__name__} has {listed(names)}."
        )
    return kind(**{names[k]: _field(v, hints[names[k]], f"{place}.{k}") for k, v in value.items()})


def _field(value: Any, hint: Any, place: str) -> Any:
    kinds = _alternatives(hint)
    if typing.get_origin(hint) is tuple:
        if not isinstance(value, list | tuple):
            raise _wrong(place, value, "a list")
        inner = typing.get_args(hint)[0]
        return tuple(_field(one, inner, f"{place}[{n}]") for n, one in enumerate(value))
    if value is None and type(None) in kinds:
        return None
    choices = [
        c for k in kinds if typing.get_origin(k) is typing.Literal for c in typing.get_args(k)
    ]
    if choices:
        if value not in choices:
            raise _wrong(place, value, listed(choices))
        return value
    if Condition in kinds:
        if not isinstance(value, Mapping):
            raise _wrong(place, value, "a condition: property, comparator and value")
        return _object(Condition, value, place)
    is_form = isinstance(value, Mapping) and "op" in value
    if any(kind in FORMS for kind in kinds) and (is_form or not _may_be_value(kinds)):
        return _operator(value, [kind for kind in kinds if kind in FORMS], place)
    if isinstance(value, str) and not is_valid_utf8(value):
        raise _wrong(place, value, "a text without half of a character")
    plain = [kind for kind in kinds if kind in _VALUES]
    if type(value) not in plain or (isinstance(value, float) and not math.isfinite(value)):
        raise _wrong(place, value, listed(_JSON_TYPES[kind] for kind in plain))
    return value


def _may_be_value(kinds: Sequence[Any]) -> bool:
    return any(kind in _VALUES for kind in kinds)


def _wrong(place: str, value: object, expected: str) -> UsageError:
    return UsageError(f"{place} is {short(value)}.", hint=f"Expected {expected}.")
