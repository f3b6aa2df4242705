"""Relation chains in words: what they lead to, and the question they answer.

``verbalize`` nests noun phrases, ``verbalize_question`` turns the last hop into a question. For
the chain ``^starred_actors → directed_by`` from Ada Weir they give *the director of the films
starring Ada Weir* and *who directed the films starring Ada Weir?*
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kgdb.language.text.relation_texts import RelationTexts, relation_words
from kgdb.language.text.roles.names import parse_name
from kgdb.values import Entity, Path, Step, Triple


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


def evidence_text(facts: Sequence[str]) -> str:
    """The facts of one piece of evidence as an expert reads them, in training and later."""
    return "; ".join(facts)


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
    name = parse_name(relation_words(step.relation))
    match name.kind:
        case "verb":
            return f"what {name.words} {{}}" if step.reverse else f"what {{}} {name.words}"
        case "head":
            # "the part of of Tofu" says nothing.
            return f"what is {name.words} {{}}" if step.reverse else f"what {{}} is {name.words}"
        case "tail":
            return f"what has {{}} as {name.words}" if step.reverse else f"the {name.words} of {{}}"


def _question(step: Step, texts: Mapping[str, RelationTexts]) -> str:
    given = texts.get(step.relation)
    asked = given and (given.inverse_question if step.reverse else given.question)
    if asked:
        return asked
    told = given and (given.inverse if step.reverse else given.text)
    if not told:
        name = parse_name(relation_words(step.relation))
        words = f"is {name.words}" if name.kind == "head" else name.words
        if words.startswith("is ") and not step.reverse:
            return f"what is {{}} {words.removeprefix('is ')}?"
        if step.reverse or name.kind == "verb":
            return f"{_noun(step, texts)}?"
    return f"what is {_noun(step, texts)}?"
