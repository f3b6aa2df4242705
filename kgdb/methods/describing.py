"""What the options of a method are, read from the dataclass that holds them and its docstring.

The docstring names every option in double backquotes: either by a definition (```width``: the
relations kept per hop.``), which reaches up to the next one, or in a sentence about it. Where it
says that options *are those of* a function, the docstring of that function is read as well.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from itertools import takewhile
from typing import Any, Literal, get_args, get_origin, get_type_hints

_TICKED = r"``(\w+)``"
_DEFINITION = re.compile(rf"((?:{_TICKED}(?:, and |, | and )?)+): ")
_REFERENCE = re.compile(r"are those\s+of\s+:func:`~?([\w.]+)`")
_ROLE = re.compile(r":\w+:`~?([^`]+)`")
_SENTENCE_END = re.compile(r"(?<=[.!?]) +(?=[A-Z`])")


@dataclass(frozen=True, slots=True)
class Option:
    """An option that can be set: ``values`` tells what it takes, ``text`` what it is for."""

    name: str
    values: str
    default: str
    text: str


def describe(kind: type[Any]) -> tuple[Option, ...]:
    """The options of a method, as its dataclass has them."""
    types = get_type_hints(kind)
    names = {field.name for field in fields(kind)}
    # What a class inherits is described where it comes from.
    written = [inspect.cleandoc(of.__doc__ or "") for of in kind.__mro__ if is_dataclass(of)]
    texts = _texts("\n\n".join(written), names)
    return tuple(
        Option(
            field.name,
            _values(types[field.name]),
            _shown(field.default if field.default is not MISSING else None),
            texts.get(field.name, ""),
        )
        for field in fields(kind)
    )


def summaries(makers: Mapping[str, Any]) -> dict[str, str]:
    """What each method is: the first paragraph of its module's docstring, or of its own where the
    module has several.
    """
    modules = Counter(inspect.getmodule(make) for make in makers.values())
    texts = {}
    for name, make in makers.items():
        module = inspect.getmodule(make)
        told = module if module is not None and modules[module] == 1 else make
        first = (inspect.getdoc(told) or "").split("\n\n")[0]
        texts[name] = _plain(" ".join(first.split())).replace("*", "")
    return texts


def _texts(docstring: str, options: Collection[str]) -> Mapping[str, str]:
    """For each option that the docstring names, what it says of it; definitions come first."""
    paragraphs = [" ".join(paragraph.split()) for paragraph in docstring.split("\n\n")]
    defined = [
        [
            found
            for found in _DEFINITION.finditer(paragraph)
            if set(re.findall(_TICKED, found[1])) <= set(options)
        ]
        for paragraph in paragraphs
    ]
    names = {name for of in defined for found in of for name in re.findall(_TICKED, found[1])}
    undefined = set(options) - names
    texts: dict[str, str] = {}
    for paragraph, definitions in zip(paragraphs, defined, strict=True):
        ends = [definition.start() for definition in definitions[1:]] + [len(paragraph)]
        for definition, until in zip(definitions, ends, strict=False):
            text = _own(paragraph[definition.end() : until], undefined)
            for name in re.findall(_TICKED, definition[1]):
                texts.setdefault(name, _plain(text))
    for target in _REFERENCE.findall(docstring):
        for name, text in _texts(_docstring(target), undefined).items():
            texts.setdefault(name, text)
    for paragraph in paragraphs:
        for sentence in _SENTENCE_END.split(paragraph):
            for name in re.findall(_TICKED, sentence):
                texts.setdefault(name, _plain(sentence))
    return texts


def _docstring(target: str) -> str:
    """What is written at the function that a docstring refers to."""
    module, _, name = target.rpartition(".")
    try:
        return inspect.getdoc(getattr(importlib.import_module(module), name)) or ""
    except (ImportError, AttributeError, ValueError):
        return ""


def _own(definition: str, undefined: Collection[str]) -> str:
    """The sentences of a definition up to one about an option that has no definition."""
    first, *others = _SENTENCE_END.split(definition)
    own = takewhile(lambda other: not set(re.findall(_TICKED, other)) & set(undefined), others)
    return " ".join([first, *own])


def _plain(text: str) -> str:
    """The text without the marks that only documentation tools read."""
    unmarked = _ROLE.sub(lambda role: role[1].rpartition(".")[2], text)
    return unmarked.replace("``", "").strip().removesuffix(" and").rstrip(",;")


def _values(type_: Any) -> str:
    if get_origin(type_) is Literal:
        return " | ".join(map(str, get_args(type_)))
    if type_ is bool:
        return "true | false"
    return {int: "whole number", float: "number", str: "text"}.get(type_, str(type_))


def _shown(default: Any) -> str:
    if default is None:
        return "-"
    return str(default).lower() if isinstance(default, bool) else str(default)
