"""Conversations from the relation corpus: the prompts that ask a language model about relations.

They are made by the functions that make them when a question is answered, so a model is tuned on
what it will be asked:

- ``chains``: the phrase of a whole chain continues the question, as the language model's preference
  among chains and answer slots is measured (:mod:`kgdb.methods.answering.preference`);
- ``relations``: the relation of the next hop is chosen from a list, hop by hop
  (:mod:`kgdb.methods.chains.relation_choice`).
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from kgdb.errors import UsageError
from kgdb.lab.training.corpus.conversations import Conversation, Turn
from kgdb.lab.training.corpus.rows import RelationRow
from kgdb.language.text.prompts import language_of
from kgdb.methods.answering.preference import phrase_prompt
from kgdb.methods.chains.candidate_chains import PLACEHOLDER
from kgdb.methods.chains.relation_choice import MAX_PHRASES, phrases_reply, relations_prompt
from kgdb.wording import listed, short

TASKS = ("chains", "relations")
WIDTH = 5
"""Relations that the prompt asks for at most, as RefKG does by default."""

_PLACEHOLDER = re.compile(rf"\b{PLACEHOLDER}\b")


@dataclass(slots=True)
class ConversationReport:
    """What became of the rows: conversations by task, and hops that made none, by reason.

    ``contradictions`` are rows whose question has another chain in most rows of its graph.
    """

    rows: int = 0
    made: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    contradictions: int = 0


def conversations_from_rows(
    rows: Iterable[RelationRow],
    *,
    tasks: Sequence[str] = TASKS,
    licence: str = "",
    width: int = WIDTH,
    seed: int = 0,
) -> tuple[list[Conversation], ConversationReport]:
    """The prompts of the tasks about each row, in the order of the rows.

    ``seed`` draws the order of choices, and how many of a graph's relations a list has. ``licence``
    is that of the questions whose rows name none.
    """
    if unknown := [task for task in tasks if task not in TASKS]:
        raise UsageError(
            f"Relation rows make no conversations of the task {short(unknown[0])}.",
            hint=f"Expected one of: {listed(TASKS)}.",
        )
    every = list(rows)
    report = ConversationReport(len(every), contradictions=_contradictions(every))
    draw = random.Random(seed)
    by_graph: dict[str, list[RelationRow]] = defaultdict(list)
    for row in every:
        by_graph[row.graph].append(row)
    hops = {graph: _Hops(of_graph) for graph, of_graph in by_graph.items()}
    made: list[Conversation] = []
    for row in every:
        if "chains" in tasks:
            made.append(_chain(row, row.licence or licence, draw))
        if "relations" in tasks:
            made += _relations(row, hops[row.graph], row.licence or licence, width, draw, report)
    report.made.update(each.task for each in made)
    return made, report


def _chain(row: RelationRow, licence: str, draw: random.Random) -> Conversation:
    right = row.wordings[0]
    choices = list(dict.fromkeys([right, *(each[0] for each in row.negatives if each)]))
    draw.shuffle(choices)
    return Conversation(
        "chains",
        (Turn("user", phrase_prompt(row.question)),),
        right,
        row.graph,
        row.source,
        licence,
        tuple(choices) if len(choices) > 1 else (),
        continues=True,
        group=row.question,
    )


class _Hops:
    """The single relations of a graph as phrases, as far as its rows tell them."""

    def __init__(self, rows: Sequence[RelationRow]) -> None:
        self.phrases = {row.chain[0]: row.wordings[0] for row in rows if len(row.chain) == 1}
        self._chains = {row.chain: row.wordings[0] for row in rows}
        self._next: dict[str, set[str]] = defaultdict(set)
        for row in rows:
            for before, step in zip(("", *row.chain), row.chain, strict=False):
                if step in self.phrases:
                    self._next[before].add(step)

    def reached(self, chain: tuple[str, ...]) -> str | None:
        """The phrase of the hops so far; ``None`` where the rows do not tell it."""
        if not chain:
            return PLACEHOLDER
        if chain in self._chains:
            return self._chains[chain]
        inner, outer = self.reached(chain[:-1]), self.phrases.get(chain[-1])
        if inner is None or outer is None or len(_PLACEHOLDER.findall(outer)) != 1:
            return None
        return _PLACEHOLDER.sub(lambda _: inner, outer)

    def candidates(self, before: str, at_least: int) -> list[str]:
        """The phrases that may follow a step: those that follow it in the rows, if they are many
        enough, or else all.
        """
        steps = self._next[before] if len(self._next[before]) > at_least else set(self.phrases)
        return list(dict.fromkeys(self.phrases[step] for step in sorted(steps)))


def _relations(
    row: RelationRow,
    hops: _Hops,
    licence: str,
    width: int,
    draw: random.Random,
    report: ConversationReport,
) -> Iterator[Conversation]:
    for hop, step in enumerate(row.chain):
        right, reached = hops.phrases.get(step), hops.reached(row.chain[:hop])
        if right is None or reached is None:
            report.dropped["no row has the phrase of this relation alone"] += 1
            continue
        others = hops.candidates(row.chain[hop - 1] if hop else "", width)
        others = [phrase for phrase in others if phrase != right]
        if len(others) < width:
            report.dropped["too few relations to choose from"] += 1
            continue
        count = draw.randint(width, min(len(others), MAX_PHRASES - 1))
        menu = [right, *draw.sample(others, count)]
        draw.shuffle(menu)
        text = relations_prompt(
            language_of(row.question), row.question, [reached] if hop else [], menu, width
        )
        yield Conversation(
            "relations",
            (Turn("user", text),),
            phrases_reply([right]),
            row.graph,
            row.source,
            licence,
            tuple(phrases_reply([phrase]) for phrase in menu),
            group=row.question,
        )


def _contradictions(rows: Sequence[RelationRow]) -> int:
    chains: dict[tuple[str, str], Counter[tuple[str, ...]]] = defaultdict(Counter)
    for row in rows:
        chains[row.graph, row.question][row.chain] += 1
    return sum(counts.total() - max(counts.values()) for counts in chains.values())
