"""Claims made from the facts of a graph: true ones in several voices, and almost true ones."""

from __future__ import annotations

import random
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from kgdb.values import Triple

Truth = Literal["true", "false", "true, not one fact"]
"""``true, not one fact``: no single fact shows it, such as a denial; it must not be refuted."""

Wordings = Mapping[str, Mapping[str, Any]]
"""How each relation of a graph is said; see the file."""

_FILE = Path(__file__).with_name("claims.toml")
_ONE_WORD = ("Kermit", "Zorvane", "Brellix")
_TWO_WORDS = ("Barnaby Quillfeather", "Imelda Vossrath", "Orsolo Plinth")


@dataclass(frozen=True, slots=True)
class MadeClaim:
    """A claim with its kind and whether it is true in the graph."""

    graph: str
    kind: str
    truth: Truth
    text: str


@cache
def wordings() -> Mapping[str, Wordings]:
    """The wordings by graph."""
    graphs: Mapping[str, Wordings] = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return graphs


def made_claims(graph: str, facts: Iterable[Triple], each: int, seed: int = 7) -> list[MadeClaim]:
    """Claims of every kind from ``each`` facts of each relation that has wordings."""
    return [
        MadeClaim(graph, kind, truth, text)
        for kind, truth, text in _Maker(facts, wordings()[graph], random.Random(seed)).claims(each)
    ]


class _Maker:
    """The facts of a graph by relation, and what is drawn from them.

    A name is used only where one entity has it, and where it is no number: a claim about a name
    that several have may be true of another.
    """

    def __init__(self, facts: Iterable[Triple], wordings: Wordings, draw: random.Random) -> None:
        self._wordings, self._draw = wordings, draw
        ids = defaultdict[str, set[str]](set)
        self._pairs = defaultdict[str, set[tuple[str, str]]](set)
        for fact in facts:
            for entity in (fact.head, fact.tail):
                ids[entity.name.casefold()].add(entity.id)
            self._pairs[fact.relation].add((fact.head.name, fact.tail.name))
        self._ids = ids

    def claims(self, each: int) -> Iterator[tuple[str, Truth, str]]:
        for relation, said in self._wordings.items():
            pairs = sorted(pair for pair in self._pairs[relation] if all(map(self._is_plain, pair)))
            for head, tail in self._draw.sample(pairs, min(each, len(pairs))):
                yield from self._true(said, head, tail)
                yield from self._unknown(said, head, tail)
                yield from self._others(relation, said, head, tail, pairs)
                yield from self._beyond(relation, said, head, tail)

    def _is_plain(self, name: str) -> bool:
        return len(self._ids[name.casefold()]) == 1 and len(name) > 2

    def _true(
        self, said: Mapping[str, Any], head: str, tail: str
    ) -> Iterator[tuple[str, Truth, str]]:
        for number, voice in enumerate(said["true"], 1):
            yield f"true, voice {number}", "true", voice.format(h=head, t=tail)
        yield "denied", "false", said["denied"].format(h=head, t=tail)

    def _unknown(
        self, said: Mapping[str, Any], head: str, tail: str
    ) -> Iterator[tuple[str, Truth, str]]:
        voices = said["true"]
        one, two = self._draw.choice(_ONE_WORD), self._draw.choice(_TWO_WORDS)
        for voice in voices:
            yield "unknown name, one word", "false", voice.format(h=head, t=one)
            yield "unknown name, one word", "false", voice.format(h=one, t=tail)
            yield "unknown name, two words", "false", voice.format(h=head, t=two)
            yield "unknown name, two words", "false", voice.format(h=two, t=tail)
        yield "unknown name, lower case", "false", voices[0].format(h=head, t=one.lower())
        yield "one unknown of two", "false", voices[0].format(h=head, t=f"{tail} and {two}")
        yield (
            "one unknown of two",
            "false",
            voices[1 % len(voices)].format(h=f"{one} and {head}", t=tail),
        )

    def _others(
        self,
        relation: str,
        said: Mapping[str, Any],
        head: str,
        tail: str,
        pairs: Sequence[tuple[str, str]],
    ) -> Iterator[tuple[str, Truth, str]]:
        voice = said["true"][0]
        known = self._pairs[relation]
        if others := sorted({other for _, other in pairs if (head, other) not in known}):
            other = self._draw.choice(others)
            yield "another tail", "false", voice.format(h=head, t=other)
            yield (
                "another tail, denied",
                "true, not one fact",
                said["denied"].format(h=head, t=other),
            )
        for like in said.get("like", ()):
            if {(head, tail), (tail, head)}.isdisjoint(self._pairs[like]):
                wording = self._wordings.get(like, {}).get("true") or [_by_name(like)]
                yield "another relation", "false", wording[0].format(h=head, t=tail)
        for foreign in said["foreign"]:
            yield "other words", "false", foreign.format(h=head, t=tail)
        for reversed_voice in said["true"] if (tail, head) not in known else ():
            yield "reversed", "false", reversed_voice.format(h=tail, t=head)

    def _beyond(
        self, relation: str, said: Mapping[str, Any], head: str, tail: str
    ) -> Iterator[tuple[str, Truth, str]]:
        yield "everybody", "false", said["true"][0].format(h=head, t="everybody").capitalize()
        heads = Counter(one for one, _ in self._pairs[relation])
        tails = Counter(one for _, one in self._pairs[relation])
        of, one = (tails, tail) if "{t}" in said["most"] else (heads, head)
        most = of[one] == max(of.values())
        yield "superlative", _beyond_one(most), said["most"].format(h=head, t=tail)
        sole = heads[head] if _sole(said["only"]) == "t" else tails[tail]
        yield "only", _beyond_one(sole == 1), said["only"].format(h=head, t=tail)
        yield "number", "false", said["number"].format(h=head, t=tail)


def _sole(wording: str) -> str:
    """Which end a wording says is the only one: *only {h}*, *{t} alone*, *{t} is the only …*."""
    before = re.search(r"\{(\w)\}(?: alone| is the only)", wording)
    found = before or re.search(r"(?:only|but)\b[^{]*\{(\w)\}", wording, re.IGNORECASE)
    if found is None:
        raise ValueError(f"it does not tell which one is the only one: {wording}")
    return found[1]


def _beyond_one(holds: bool) -> Truth:
    return "true, not one fact" if holds else "false"


def _by_name(relation: str) -> str:
    """A wording of a relation that has none in the file, by its name: ``WROTE``."""
    return f"{{h}} {relation.lower().replace('_', ' ')} {{t}}."
