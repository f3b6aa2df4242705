"""Questions for chains: the phrases of their steps, nested and drawn at random."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import cache

from kgdb.graph import Graph
from kgdb.graph.retrieval.results import RelationInfo
from kgdb.graph.schema import SAMPLE
from kgdb.lab.training.corpus.chain_finding import Chain
from kgdb.lab.training.corpus.phrases import End, Phrases, asked, step_phrases
from kgdb.methods.chains.candidate_chains import PLACEHOLDER, Subject
from kgdb.methods.chains.key_entities import KeyEntity
from kgdb.values import Step

_BY_TEXTS = 0.6
"""How often a phrase is of the relation's texts, where it has some; the rest is by grammar."""

_DIRECT = 0.6
"""How often a question is one of its own, and not an order around a noun phrase."""

_BARE, _CAPITAL = 0.4, 0.2
"""How often a question has no question mark, and how often a capital letter."""

MAX_LENGTH = 300

_MENTION = "\x00"
"""Stands for the name of the entity until the question is masked."""


class Questioner:
    """Asks for what chains of a graph lead to."""

    def __init__(self, graph: Graph) -> None:
        self._relations = graph.relations
        self._schema = graph.schema
        # Loaders put the label of the graph, which all entities have, before their other labels.
        self._graph_label = "" if graph.info.adopted else graph.info.label
        self._phrases: dict[Step, tuple[Phrases, Phrases]] = {}

    def ask(self, chain: Chain, draw: random.Random) -> str | None:
        """A masked question; none where a text of the graph makes it unusable."""
        text = _MENTION
        for step in chain[:-1]:
            noun = self._noun(step, draw, is_nested=text != _MENTION)
            if noun is None:
                return None
            text = noun.replace("{}", text)
        question = self._question(chain[-1], draw, is_nested=len(chain) > 1)
        if question is None:
            return None
        text = " ".join(question.replace("{}", text).split())
        if draw.random() < _BARE:
            text = text.rstrip("?")
        if draw.random() < _CAPITAL:
            text = text[:1].upper() + text[1:]
        return _masked(text) if len(text) <= MAX_LENGTH else None

    def _question(self, step: Step, draw: random.Random, *, is_nested: bool) -> str | None:
        """A question for what a step leads to, or what asks for its noun phrase."""
        if draw.random() < _DIRECT:
            given, by_grammar = self._of(step)
            questions = _fitting(by_grammar.questions, is_nested=is_nested)
            if question := _one_of(given.questions, questions, draw):
                return question
        noun = self._noun(step, draw, is_nested=is_nested)
        return noun and draw.choice(asked(noun, self.end(step)))

    def _noun(self, step: Step, draw: random.Random, *, is_nested: bool) -> str | None:
        """A noun phrase; behind a whole clause, a possessive would be read with its last word."""
        given, by_grammar = self._of(step)
        nouns = [noun for noun in given.nouns if not (is_nested and noun.startswith("{}'s "))]
        return _one_of(nouns, _fitting(by_grammar.nouns, is_nested=is_nested), draw)

    def _of(self, step: Step) -> tuple[Phrases, Phrases]:
        if step not in self._phrases:
            info = self._relations.get(step.relation)
            both = step_phrases(step.relation, info, reverse=step.reverse, end=self.end(step))
            self._phrases[step] = (_usable(both[0]), _usable(both[1]))
        return self._phrases[step]

    def end(self, step: Step) -> End:
        """What a step leads to: by the label that most of its ends have, or by its texts."""
        ends = self._schema.relations.get(step.relation)
        labels = (ends.heads if step.reverse else ends.tails) if ends else {}
        if ends and labels:
            label = max(labels, key=lambda name: (labels[name], name))
            name = label.removeprefix(self._graph_label)
            if name and 2 * labels[label] >= min(ends.count, SAMPLE):
                return End.of(name)
        return _end_in_texts(self._relations.get(step.relation), reverse=step.reverse)


def _end_in_texts(info: RelationInfo | None, *, reverse: bool) -> End:
    question = info and (info.inverse_question if reverse else info.question)
    if not question:
        return End()
    if question.startswith("who "):
        return End(is_person=True)
    noun = re.match(
        r"(?:which|what) ([a-z]{3,}) (?:did|does|do|are|is|was|were|has|have)\b", question
    )
    return End(noun[1]) if noun else End()


def _masked(text: str) -> str:
    """The question as the methods compare it with chains."""
    start = text.index(_MENTION)
    key = KeyEntity(_MENTION, (), "question", (start, start + len(_MENTION)))
    return Subject.of(text, key).masked


def _fitting(phrases: Sequence[str], *, is_nested: bool) -> list[str]:
    """Those that are clear around a clause, or around the mention itself.

    The mask takes a noun in front of the mention away: of *the film [Ada Weir] wrote*, too.
    """
    if is_nested:
        return [phrase for phrase in phrases if not phrase.startswith("{}'s ")]
    return [phrase for phrase in phrases if _keeps_its_words(phrase)]


@cache
def _keeps_its_words(phrase: str) -> bool:
    return _masked(phrase.replace("{}", _MENTION)) == phrase.replace("{}", PLACEHOLDER)


def _one_of(given: Sequence[str], by_grammar: Sequence[str], draw: random.Random) -> str | None:
    if given and (not by_grammar or draw.random() < _BY_TEXTS):
        return draw.choice(given)
    return draw.choice(by_grammar) if by_grammar else None


def _usable(phrases: Phrases) -> Phrases:
    """The phrases with one place for what they start from: a text may be of any form."""
    return Phrases(_with_place(phrases.nouns), _with_place(phrases.questions))


def _with_place(phrases: Sequence[str]) -> tuple[str, ...]:
    return tuple(each for each in phrases if each.count("{}") == 1 and _MENTION not in each)
