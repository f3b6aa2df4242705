"""The words for relations that share no stem: *parent* and *child*, *acquire* and *buy*.

The words stand in data files, one for each language; ``words/en.toml`` explains them. Each word
has senses: the relation that it names, and the role of who it names or of its grammatical subject.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from kgdb.language.text.roles.forms import stem_of

Role = Literal["subject", "object"]
"""A role in a relation: who manages has the subject's, who is managed the object's."""

_OTHER: Mapping[Role, Role] = {"subject": "object", "object": "subject"}


def other(role: Role) -> Role:
    """The opposite role."""
    return _OTHER[role]


@dataclass(frozen=True, slots=True)
class Sense:
    """A meaning of a word.

    ``relation`` is a heading of the data files, or ``verb:`` or ``noun:`` with the word's own stem.
    ``role`` is that of the noun's bearer, or of the verb's subject. ``beside`` are the words that
    belong to it: behind a verb (*report to*), before a noun (*line manager*). ``count`` is how many
    steps of the relation it stands for: a grandparent is a parent twice.
    """

    relation: str
    role: Role
    beside: tuple[str, ...] = ()
    count: int = 1


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The senses of verbs, nouns and nouns of action: by stem in English, by word in Chinese."""

    verbs: Mapping[str, Sequence[Sense]]
    nouns: Mapping[str, Sequence[Sense]]
    actions: Mapping[str, Sequence[Sense]]
    symmetric: frozenset[str]
    asymmetric: frozenset[str]
    alike: frozenset[str]


@dataclass(slots=True)
class _Tables:
    verbs: dict[str, list[Sense]] = field(default_factory=lambda: defaultdict(list))
    nouns: dict[str, list[Sense]] = field(default_factory=lambda: defaultdict(list))
    actions: dict[str, list[Sense]] = field(default_factory=lambda: defaultdict(list))


@cache
def vocabulary(language: Literal["en", "zh"]) -> Vocabulary:
    """The vocabulary of a language."""
    text = files(__package__).joinpath("words", f"{language}.toml").read_text(encoding="utf-8")
    relations: dict[str, dict[str, Any]] = tomllib.loads(text)
    tables = _Tables()
    to_key = stem_of if language == "en" else str
    for name, entry in relations.items():
        relation, count = (entry["twice"], 2) if "twice" in entry else (name, 1)
        for verb, role in _words(entry, ("verbs", "subject"), ("converse_verbs", "object")):
            head, *particles = verb.split()
            tables.verbs[to_key(head)].append(Sense(relation, role, tuple(particles), count))
        for noun, role in _words(entry, ("subject_nouns", "subject"), ("object_nouns", "object")):
            *before, head = noun.split()
            tables.nouns[to_key(head)].append(Sense(relation, role, tuple(before), count))
        for noun, role in _words(entry, ("actions", "subject")):
            tables.actions[to_key(noun)].append(Sense(relation, role))
    return Vocabulary(
        tables.verbs,
        tables.nouns,
        tables.actions,
        frozenset(name for name, entry in relations.items() if entry.get("symmetric")),
        frozenset(name for name, entry in relations.items() if entry.get("asymmetric")),
        frozenset(name for name, entry in relations.items() if entry.get("alike")),
    )


def _words(entry: Mapping[str, str], *lists: tuple[str, Role]) -> Iterator[tuple[str, Role]]:
    for name, role in lists:
        for word in entry.get(name, "").split(", "):
            if word:
                yield word, role
