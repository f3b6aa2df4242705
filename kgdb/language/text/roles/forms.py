"""Forms of English words: the stems that a word may have, and what its ending says.

A stem is what the forms of a word share: *cite*, *cites*, *cited*, *citing* and *citer* have the
stem *cit*. A word may be read in several ways: *founded* is of *found*, *found* also of *find*.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

Ending = Literal["base", "s", "past", "ing", "doer", "done_to", "action"]
"""*cite*, *cites*, *cited*, *citing*; the nouns *inhibitor*, *employee* and *citation*."""

_MIN_STEM = 2
"""The shortest stem, in letters: *bed* is no past tense."""

_SUFFIXES: tuple[tuple[str, Ending], ...] = (
    ("s", "s"),
    ("es", "s"),
    ("ed", "past"),
    ("ing", "ing"),
    ("er", "doer"),
    ("ers", "doer"),
    ("or", "doer"),
    ("ors", "doer"),
    ("ee", "done_to"),
    ("ees", "done_to"),
    ("ion", "action"),
    ("ions", "action"),
    ("ation", "action"),
    ("ations", "action"),
    ("ition", "action"),
    ("itions", "action"),
    ("ment", "action"),
    ("ments", "action"),
)

_VOWELS = frozenset("aeiouy")


@dataclass(frozen=True, slots=True)
class Form:
    """A word as a form of a stem."""

    stem: str
    ending: Ending


@cache
def forms_of(word: str) -> frozenset[Form]:
    """The ways to read a lower-case word."""
    forms = {Form(stem_of(word), "base")}
    forms |= {Form(stem_of(base), "past") for base in _irregular().get(word, ())}
    for suffix, ending in _SUFFIXES:
        rest = word.removesuffix(suffix)
        if rest == word or len(stem := stem_of(rest)) < _MIN_STEM or _VOWELS.isdisjoint(rest):
            continue
        if ending == "s" and (rest.endswith("s") or (suffix == "es" and rest.endswith("e"))):
            continue
        forms.add(Form(stem, ending))
    return frozenset(forms)


@cache
def stem_of(word: str) -> str:
    """The stem of a form without its ending.

    A final *e*, a doubled consonant and *i* for *y* are not in all forms: *cit* of *cite*,
    *control* of *controll(ed)*, *supply* of *suppli(ed)*.
    """
    stem = word.removesuffix("e") if len(word) > _MIN_STEM else word
    if stem.endswith("i"):
        stem = stem[:-1] + "y"
    if len(stem) > _MIN_STEM + 1 and stem[-1] == stem[-2]:
        stem = stem[:-1]
    return stem


@cache
def _irregular() -> Mapping[str, frozenset[str]]:
    """The base forms of irregular forms."""
    bases: dict[str, set[str]] = {}
    for base, forms in irregular_verbs().items():
        for form in forms:
            bases.setdefault(form, set()).add(base)
    return {form: frozenset(each) for form, each in bases.items()}


@cache
def irregular_verbs() -> Mapping[str, tuple[str, ...]]:
    """The past tense and the participle of irregular verbs, by their base form."""
    text = files(__package__).joinpath("words", "irregular.toml").read_text(encoding="utf-8")
    return {base: tuple(forms.split(", ")) for base, forms in tomllib.loads(text).items()}
