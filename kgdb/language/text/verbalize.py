"""Relation chains in words: what they lead to, and the question they answer.

``verbalize`` nests noun phrases, ``verbalize_question`` turns the last hop into a question. For
the chain ``^starred_actors → directed_by`` from Ada Weir they give *the director of the films
starring Ada Weir* and *who directed the films starring Ada Weir?*
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Protocol

from kgdb.values import Entity, Path, Step, Triple

# An IRI, a path, or names with dots between as Freebase has them: the last part is the relation.
_PARTED = re.compile(r"[A-Za-z][\w+.-]*:\S+|/\S+|[a-z]\w*(\.[a-z]\w*)+")


_PREPOSITIONS = frozenset(
    "about after against as at before behind below between by during for from in inside into near "
    "of on onto outside over since through to toward towards under upon via with within".split()
)


class RelationTexts(Protocol):
    """The texts of a relation; see ``docs/reference/loaders.md``."""

    @property
    def text(self) -> str | None:
        """Noun phrase for the far end of a hop along the relation."""

    @property
    def inverse(self) -> str | None:
        """Noun phrase for the far end of a hop against it."""

    @property
    def question(self) -> str | None:
        """Question for the far end of a hop along it."""

    @property
    def inverse_question(self) -> str | None:
        """Question for the far end of a hop against it."""


def verbalize(chain: Sequence[Step], start: str, texts: Mapping[str, RelationTexts]) -> str:
    """The ends of a chain as a noun phrase around the name of its start."""
    phrase = start
    for step in chain:
        phrase = _noun(step, texts).replace("{}", phrase)
    return phrase


def verbalize_question(
    chain: Sequence[Step], start: str, texts: Mapping[str, RelationTexts]
) -> str:
    """The question that a chain of at least one step answers."""
    inner = verbalize(chain[:-1], start, texts)
    return _question(chain[-1], texts).replace("{}", inner)


def fact(triple: Triple, texts: Mapping[str, RelationTexts]) -> str:
    """A fact in words: *the director of Heat: Michael Mann*, else *Heat, directed by: …*."""
    given = texts.get(triple.relation)
    if given and given.text:
        return f"{given.text.replace('{}', triple.head.name)}: {triple.tail.name}"
    return f"{triple.head.name}, {relation_words(triple.relation)}: {triple.tail.name}"


def facts(path: Path, texts: Mapping[str, RelationTexts]) -> str:
    """The facts of a path in words, in the path's order."""
    return "; ".join(fact(triple, texts) for triple in path.triples)


def grouped(paths: Sequence[Path], texts: Mapping[str, RelationTexts], longest: int) -> list[str]:
    """The facts of paths for a prompt, each told once, in the order of the paths.

    What one step leads to from one entity stands together: *the films starring Ada Weir:
    Candlemoth; The Tuesday Engine*. Lines are at most ``longest`` characters where one fact allows
    that, and are longer by that fact alone.
    """
    told: set[Triple] = set()
    groups: dict[tuple[Entity, Step], list[Triple]] = {}
    for path in paths:
        for start, step, triple in zip(path.entities, path.steps, path.triples, strict=False):
            if triple not in told:
                told.add(triple)
                groups.setdefault((start, step), []).append(triple)
    return [
        line
        for (start, step), triples in groups.items()
        for line in _lines(start, step, triples, texts, longest)
    ]


def _lines(
    start: Entity,
    step: Step,
    triples: Sequence[Triple],
    texts: Mapping[str, RelationTexts],
    longest: int,
) -> list[str]:
    given = texts.get(step.relation)
    if step.reverse and not (given and given.inverse):
        # Without words for its direction a fact is clearer by itself.
        return [fact(triple, texts) for triple in triples]
    if step.reverse or (given and given.text):
        begun = f"{_noun(step, texts).replace('{}', start.name)}: "
    else:
        begun = f"{start.name}, {relation_words(step.relation)}: "
    lines: list[str] = []
    for triple in triples:
        name = (triple.head if step.reverse else triple.tail).name
        if lines and len(lines[-1]) + len(name) + 2 <= longest:
            lines[-1] += f"; {name}"
        else:
            lines.append(begun + name)
    return lines


def _noun(step: Step, texts: Mapping[str, RelationTexts]) -> str:
    given = texts.get(step.relation)
    told = given and (given.inverse if step.reverse else given.text)
    if told:
        return told
    words = relation_words(step.relation)
    if _ends_in_preposition(words):
        # "the part of of Tofu" says nothing, and "what has Tofu as directed by" little.
        verb = _verb(words)
        return f"what {verb}{words} {{}}" if step.reverse else f"what {{}} {verb}{words}"
    return f"what has {{}} as {words}" if step.reverse else f"the {words} of {{}}"


def _ends_in_preposition(words: str) -> bool:
    """Whether the words want the far end behind them: *part of*, *lives in*, *directed by*."""
    return words.rpartition(" ")[2] in _PREPOSITIONS


def _verb(words: str) -> str:
    """*is*, where the words have no verb of their own: *part of* and *directed by*, not *lives in*.

    Of *acted in* and *located in* one is a verb and the other none: they are left as they are.
    """
    first, *rest = words.split()
    is_verb = first.endswith("s") or (first.endswith("ed") and rest[-1:] != ["by"])
    return "" if rest and is_verb else "is "


def _question(step: Step, texts: Mapping[str, RelationTexts]) -> str:
    given = texts.get(step.relation)
    asked = given and (given.inverse_question if step.reverse else given.question)
    if asked:
        return asked
    told = given and (given.inverse if step.reverse else given.text)
    if not told and _ends_in_preposition(words := relation_words(step.relation)):
        turned = _verb(words) and not step.reverse
        return f"what is {{}} {words}?" if turned else f"{_noun(step, texts)}?"
    if step.reverse and not told:
        return f"{_noun(step, texts)}?"
    return f"what is {_noun(step, texts)}?"


def relation_words(relation: str) -> str:
    """The name of a relation as words: of ``place_of_birth``, ``birthPlace`` and IRIs too."""
    local = relation
    if _PARTED.fullmatch(relation):
        local = re.split(r"[/#.]", relation.rstrip("/#."))[-1]
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", local)
    return re.sub(r"[\W_]+", " ", spaced).strip().lower() or relation
