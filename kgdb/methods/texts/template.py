"""Sentences of facts without a language model, in the language of the question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from kgdb.language import relation_words, verbalize
from kgdb.language.text.prompts import Language
from kgdb.language.text.relation_texts import RelationTexts
from kgdb.language.text.roles.names import parse_name
from kgdb.methods.texts.citations import Citations
from kgdb.values import Answer, Entity, Path, Step, Triple
from kgdb.wording import one_line, value_text

# The noun of a phrase with its adjectives, before what belongs to it.
_NOUN = re.compile(
    r"^(?:the |what )?(?P<noun>.+?)(?= (?:of|that|which|with|for|in|by|to|from)\b|$)"
)
_CJK = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")

_LEADS: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "one": "The answer is {}.",
        "many": "The answers are {}.",
        "agreement": "What you mention is connected most with {}.",
    },
    "zh": {
        "one": "答案是{}。",
        "many": "答案是{}。",
        "agreement": "您提到的情况与{}关系最密切。",
    },
}


def lead(
    answer: Answer, citations: Citations, language: Language, *, agreement: bool
) -> str | None:
    """The sentence that answers; ``agreement``: the answers are what mentions have in common.

    ``None`` if there is nothing in common: the only answers are what is mentioned itself.
    """
    listed = [each for each in answer.entities if each.paths or not agreement]
    if agreement and not listed:
        return None
    space = "" if language == "zh" else " "

    def cited(text: str, triples: Sequence[Triple]) -> str:
        return f"{text}{space}{citations.cite(triples)}".strip()

    if answer.value is not None and not isinstance(answer.value, tuple):
        shown = [cited(one_line(value_text(answer.value)), _triples(answer.facts))]
    elif answer.value is not None:
        shown = [
            f"{_name(each.entity)} ({one_line(value_text(each.value))})" for each in answer.value
        ]
    else:
        shown = [cited(_name(each.entity), _triples(each.paths)) for each in listed]
    kind = "agreement" if agreement else "one" if len(shown) == 1 else "many"
    return _LEADS[language][kind].format(enumerated(shown, language))


def describe(
    paths: Iterable[Path],
    citations: Citations,
    texts: Mapping[str, RelationTexts],
    language: Language,
) -> list[str]:
    """A sentence for each entity and step of the paths, in their order; each fact is told once."""
    groups: dict[tuple[Entity, Step], list[tuple[Entity, Triple]]] = {}
    told: set[Triple] = set()
    for path in paths:
        hops = zip(path.entities, path.steps, path.entities[1:], path.triples, strict=False)
        for start, step, end, triple in hops:
            if triple not in told:
                told.add(triple)
                groups.setdefault((start, step), []).append((end, triple))
    return [
        _sentence(start, step, [end for end, _ in ends], texts, language).format(
            marks=citations.cite(triple for _, triple in ends)
        )
        for (start, step), ends in groups.items()
    ]


def enumerated(names: Sequence[str], language: Language) -> str:
    """*A, B and C*, or *A、B和C*."""
    comma, last = ("、", "和") if language == "zh" else (", ", " and ")
    return last.join(filter(None, [comma.join(names[:-1]), names[-1]])) if names else ""


def _sentence(
    start: Entity,
    step: Step,
    ends: Sequence[Entity],
    texts: Mapping[str, RelationTexts],
    language: Language,
) -> str:
    """The sentence with a place for the marks of its facts."""
    name, listed = _name(start), enumerated([_name(end) for end in ends], language)
    if language == "zh":
        sentence = f"{_chinese(step, name, texts)}{'包括' if len(ends) > 1 else '是'}{listed}"
        return f"{_in_format(sentence)}{{marks}}。"
    phrase = verbalize([step], name, texts)
    words = parse_name(relation_words(step.relation))
    given = texts.get(step.relation)
    has_text = given is not None and bool(given.inverse if step.reverse else given.text)
    if not has_text and words.kind == "verb":
        ordered = (listed, name) if step.reverse else (name, listed)
        sentence = f"{ordered[0]} {words.words} {ordered[1]}"
    elif _is_plural(phrase.replace(name, "").strip()):
        sentence = f"{phrase} include {listed}"
    else:
        sentence = f"{phrase} is {listed}" if len(ends) == 1 else f"{phrase}: {listed}"
    return f"{_in_format(sentence[:1].upper() + sentence[1:])} {{marks}}."


def _chinese(step: Step, name: str, texts: Mapping[str, RelationTexts]) -> str:
    """What a step leads to, in Chinese: by the relation's text if that is, else by its name."""
    given = texts.get(step.relation)
    phrase = given and (given.inverse if step.reverse else given.text)
    if phrase and _CJK.search(phrase):
        return phrase.replace("{}", name)
    relation = relation_words(step.relation)
    quoted = relation if _CJK.search(relation) else f"“{relation}”"
    return f"以{name}为{quoted}的" if step.reverse else f"{name}的{quoted}"


def _is_plural(phrase: str) -> bool:
    """Whether a phrase is of several: *the medical tests needed for*, but not *the director of*."""
    match = _NOUN.match(phrase)
    words = match["noun"].split() if match else []
    return any(word.endswith("s") and not word.endswith(("ss", "us", "is")) for word in words)


def _triples(paths: Sequence[Path]) -> list[Triple]:
    return list(dict.fromkeys(triple for path in paths for triple in path.triples))


def _name(entity: Entity) -> str:
    return one_line(entity.name).replace("_", " ")


def _in_format(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
