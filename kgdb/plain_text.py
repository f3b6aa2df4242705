"""Answers and verdicts as plain text, with their facts: what chats, agents and prompts read."""

from __future__ import annotations

from collections.abc import Iterable

from kgdb.values import Answer, Path, Triple, Verdict
from kgdb.wording import one_line, value_text

_CITED = 8
"""Facts below an answer; a text that cites its facts by number has all of them."""

_FACTS = 10


def without_answer(answer: Answer) -> str:
    """The sentence in the place of an answer: the reason why there is none."""
    return f"I don't know, because {one_line(answer.reason or 'no reason is given.')}"


def answer_text(answer: Answer) -> str:
    """An answer in words, with the facts that prove it, numbered."""
    if answer.is_empty:
        return without_answer(answer)
    facts = answer.cited or tuple(_facts(answer.evidence))
    most = len(answer.cited) or _CITED
    said = answer.text or answer_words(answer)
    cited = [f"[{n}] {_fact_text(fact)}" for n, fact in enumerate(facts[:most], 1)]
    if (more := len(facts) - most) > 0:
        cited.append(f"… and {more} more facts")
    return "\n".join([said, *([""] if cited else []), *cited])


def verdict_text(verdict: Verdict) -> str:
    """A verdict in words: the label, the reason, and a line for each proof."""
    proofs = verdict.evidence[:_FACTS]
    return "\n".join([verdict.label, *filter(None, [verdict.reason]), *map(path_text, proofs)])


def answer_words(answer: Answer) -> str:
    """The answer alone: its value, or the names of its entities."""
    if isinstance(answer.value, tuple):
        return "\n".join(
            f"- {one_line(each.entity.name)}: {value_text(each.value)}" for each in answer.value
        )
    if answer.value is not None:
        return value_text(answer.value)
    return ", ".join(one_line(each.entity.name) for each in answer.entities)


def path_text(path: Path) -> str:
    """The facts of a path on one line; of a path without steps, its entity."""
    return "; ".join(map(_fact_text, path.triples)) or one_line(path.entities[0].name)


def _facts(paths: Iterable[Path]) -> Iterable[Triple]:
    return dict.fromkeys(triple for path in paths for triple in path.triples)


def _fact_text(fact: Triple) -> str:
    return f"{one_line(fact.head.name)} – {one_line(fact.relation)} – {one_line(fact.tail.name)}"
