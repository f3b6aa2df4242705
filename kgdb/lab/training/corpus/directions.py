"""Questions that differ in their direction alone: *who manages this* and *who does this manage*.

Relations between things of one kind are asked from both ends, by verbs in both voices and by the
nouns of both roles. The words of a relation and those of a question are drawn apart: the graph says
``reports_to``, the question *whose boss is this*. The chain with a step turned is the hardest of
the wrong ones. The roles of words stand in ``kgdb/language/text/roles/words/en.toml``.
"""

from __future__ import annotations

import random
import tomllib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from kgdb.lab.training.corpus.phrases import End, asked, step_phrases
from kgdb.lab.training.corpus.rows import RelationRow
from kgdb.language.text.roles.inflection import participle_of, plural_of
from kgdb.methods.chains.adapter_purpose import wordings
from kgdb.methods.chains.candidate_chains import PLACEHOLDER
from kgdb.values import Step

_TWO_HOPS = 0.4
_SAME_AGAIN = 0.4
"""How often the second hop is of the first one's relation: *the boss of this's boss*."""

_PEOPLE = 0.5
"""How often the ends are people."""


@dataclass(frozen=True, slots=True)
class _Name:
    """A name for a relation between A and B; ``turned`` where its head is B."""

    name: str
    turned: bool


def direction_rows(rows: int, seed: int = 0) -> list[RelationRow]:
    """At most ``rows`` rows over relations that nothing but their words describes.

    The same arguments give the same rows.
    """
    draw = random.Random(seed)
    groups = [names for each in _words().values() if (names := _names(each))]
    turns = defaultdict[str, set[bool]](set)
    for name in (name for names in groups for name in names):
        turns[name.name].add(name.turned)
    # The buyer acquires, and somebody sells to a buyer: such a name says no direction.
    groups = [[name for name in names if len(turns[name.name]) == 1] for names in groups]
    made: dict[tuple[str, tuple[Step, ...]], RelationRow] = {}
    for _ in range(4 * rows):
        if len(made) == rows:
            break
        row = _row(groups, draw)
        made.setdefault((row.question, tuple(map(Step.parse, row.chain))), row)
    return list(made.values())


def _words() -> Mapping[str, Mapping[str, Any]]:
    text = files("kgdb.language.text.roles").joinpath("words", "en.toml").read_text("utf-8")
    return {key: each for key, each in tomllib.loads(text).items() if not each.get("symmetric")}


def _names(words: Mapping[str, Any]) -> list[_Name]:
    """Names of relations as graphs have them, by the verbs and nouns of both roles."""
    found = list[_Name]()
    for turned, verbs, nouns in (
        (False, "verbs", "subject_nouns"),
        (True, "converse_verbs", "object_nouns"),
    ):
        for verb in _listed(words, verbs):
            first, _, rest = verb.partition(" ")
            # A verb takes the ending of a plural noun: manages, watches, carries.
            found.append(_Name(f"{plural_of(first)} {rest}".strip().replace(" ", "_"), turned))
            if not rest:
                found.append(_Name(f"{participle_of(first)}_by", not turned))
        for noun in _listed(words, nouns):
            name = noun.replace(" ", "_")
            # "The boss of A is B", "A is the boss of B".
            found += [_Name(name, not turned), _Name(f"{name}_of", turned)]
    return found


def _listed(words: Mapping[str, Any], key: str) -> list[str]:
    return [each.strip() for each in words.get(key, "").split(",") if each.strip()]


def _row(groups: Sequence[Sequence[_Name]], draw: random.Random) -> RelationRow:
    end = End(None, is_person=draw.random() < _PEOPLE)
    group = draw.choice(groups)
    chosen = [group]
    if draw.random() < _TWO_HOPS:
        chosen.append(group if draw.random() < _SAME_AGAIN else draw.choice(groups))
    chain: list[Step] = []
    inner = PLACEHOLDER
    question = ""
    for place, names in enumerate(chosen):
        in_graph = draw.choice(names)
        in_words = draw.choice([in_graph, *names]) if draw.random() < 0.5 else in_graph
        if place and chosen[0] is names:
            in_graph = next(each for each in names if each.name == chain[0].relation)
        along = draw.random() < 0.5
        chain.append(Step(in_graph.name, reverse=along == in_graph.turned))
        given, by_name = step_phrases(
            in_words.name, None, reverse=along == in_words.turned, end=end
        )
        phrases = given + by_name
        last = place == len(chosen) - 1
        if last and draw.random() < 0.7 and phrases.questions:
            question = draw.choice(phrases.questions).replace("{}", inner)
        else:
            inner = draw.choice(phrases.nouns).replace("{}", inner)
            question = draw.choice(asked(inner, end)) if last else ""
    steps = tuple(chain)
    wrong = [(*steps[:place], step.back, *steps[place + 1 :]) for place, step in enumerate(steps)]
    if len(steps) > 1:
        wrong += [steps[:1], steps[1:], steps[::-1], tuple(step.back for step in steps)]
    own = wordings(steps, {})
    others = dict.fromkeys(wordings(each, {}) for each in wrong if each != steps)
    others.pop(own, None)
    return RelationRow(
        question.strip(" ?"), tuple(map(str, steps)), own, tuple(others), "directions", "templates"
    )
