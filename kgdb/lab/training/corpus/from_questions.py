"""A corpus from questions with answers alone: no language model, no labelled chains.

The chains whose ends equal the gold answers are found in the database; one of them is what the
question means. Everything that is unclear is dropped and counted by its reason.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from kgdb.evaluation import Question
from kgdb.graph import Graph, Link, link
from kgdb.lab.training.corpus.chain_choice import TOO_MANY, Supervised, choose_chains
from kgdb.lab.training.corpus.chain_finding import Chain, Chains, Search, find_chains
from kgdb.lab.training.corpus.held_out import HeldOut
from kgdb.lab.training.corpus.negatives import hard_negatives
from kgdb.lab.training.corpus.neighborhood import Neighborhood
from kgdb.lab.training.corpus.report import CorpusReport
from kgdb.lab.training.corpus.rows import RelationRow
from kgdb.language import Encoder
from kgdb.methods.chains.adapter_purpose import wordings
from kgdb.methods.chains.candidate_chains import Subject
from kgdb.methods.chains.key_entities import key_entity_of
from kgdb.progress import Progress, Report, silent

MAX_HOPS = 3

_TOGETHER = 200
"""Questions that are searched in the same round trips."""

_ANSWERS = 4
"""Answers of a question whose relations say which step may come last."""

_ALL_ANSWERS = 50
"""Answers that are looked up where those that the graph lacks count for nothing."""

_SAME_NAME = 50
"""Entities of one name that an answer may be; of more, it says nothing about the last step."""

_MAX_TOPICS = 3
"""Mentions of a question from which chains are searched."""

TWICE = "the same question is there already"
NO_ANSWERS = "the question has no answers"
IS_HELD_OUT = "the question is held out"
NO_TOPIC = "the question names no entity of the graph"
NO_CHAIN = "no chain gives the answers"


@dataclass(frozen=True, slots=True)
class _Found:
    """A question as seen from one of its mentions, with the chains around it."""

    question: Question
    mention: str
    masked: str
    chains: Chains


@dataclass(frozen=True, slots=True)
class KnownChain:
    """A question with the chain from its ``mention`` that it means, and how that was chosen.

    ``chains`` are all that lie around the mention.
    """

    question: Question
    mention: str
    masked: str
    chain: Chain
    how: str
    chains: Chains


def corpus_from_questions(
    graph: Graph,
    questions: Sequence[Question],
    encoder: Encoder,
    *,
    source: str = "questions",
    held_out: HeldOut | None = None,
    true_chain: Callable[[Question], Chain | None] | None = None,
    max_hops: int = MAX_HOPS,
    min_f1: float = 1.0,
    seed: int = 0,
    report: Report = silent,
) -> tuple[list[RelationRow], CorpusReport]:
    """The rows that questions give, in their order, and what became of each question.

    ``source`` names the questions, with their split; those that are ``held_out`` give no row. The
    same arguments give the same rows. ``true_chain`` is the chain that the set tells of a question:
    no row is made from it, but the report has the share of the rows that agree with it. A chain is
    right if its ends agree with the answers by an F1 of at least ``min_f1``: with less than 1, a
    graph that lacks facts gives more rows, and more of them are wrong. Answers that the graph does
    not have then count for nothing.
    """
    known, told = known_chains(
        graph,
        questions,
        encoder,
        source=source,
        held_out=held_out,
        max_hops=max_hops,
        min_f1=min_f1,
        report=report,
    )
    rows, agreeing = list[RelationRow](), list[bool]()
    for each in known:
        row = _row(graph, each, source, seed)
        told.keep(asdict(row), len(each.chain))
        told.chosen[each.how] += 1
        rows.append(row)
        if true_chain and (true := true_chain(each.question)):
            agreeing.append(true == each.chain)
    told.agreement = sum(agreeing) / len(agreeing) if agreeing else None
    return rows, told


def known_chains(
    graph: Graph,
    questions: Sequence[Question],
    encoder: Encoder,
    *,
    source: str = "questions",
    held_out: HeldOut | None = None,
    max_hops: int = MAX_HOPS,
    min_f1: float = 1.0,
    report: Report = silent,
) -> tuple[list[KnownChain], CorpusReport]:
    """The chain that each question means, where one is known; the report has what was dropped.

    The arguments are those of :func:`corpus_from_questions`.
    """
    told = CorpusReport(graph.name, source, read=len(questions))
    asked = _distinct(questions, held_out or HeldOut(()), told)
    found = list(_found(graph, asked, max_hops, min_f1, told, report))
    supervised = [Supervised(each.masked, tuple(each.chains.right)) for each in found]
    choices = choose_chains(supervised, encoder, graph.relations)
    known = []
    for each, choice in zip(found, choices, strict=True):
        if choice.chain is None:
            told.drop(choice.how, each.question.text)
        else:
            known.append(
                KnownChain(
                    each.question, each.mention, each.masked, choice.chain, choice.how, each.chains
                )
            )
    return known, told


def _distinct(
    questions: Sequence[Question], held_out: HeldOut, told: CorpusReport
) -> list[Question]:
    """The questions that may be in the corpus, each once."""
    seen: set[str] = set()
    kept = []
    for question in questions:
        key = " ".join(question.text.casefold().split())
        if key in seen:
            told.drop(TWICE, question.text)
        elif question.unanswerable or not question.gold:
            told.drop(NO_ANSWERS, question.text)
        elif question in held_out:
            told.drop(IS_HELD_OUT, question.text)
        else:
            kept.append(question)
        seen.add(key)
    return kept


def _found(
    graph: Graph,
    questions: Sequence[Question],
    max_hops: int,
    min_f1: float,
    told: CorpusReport,
    report: Report,
) -> Iterator[_Found]:
    """The questions that some chains answer."""
    neighborhood = Neighborhood(graph)
    for start in range(0, len(questions), _TOGETHER):
        some = questions[start : start + _TOGETHER]
        report(Progress("finding chains", start, len(questions), "questions"))
        topics = link(graph, [question.text for question in some], misspelt=False)
        asked = [
            (question, mention)
            for question, links in zip(some, topics, strict=True)
            for mention in links[:_MAX_TOPICS]
        ]
        answers = _answers(graph, some, _ANSWERS if min_f1 >= 1 else _ALL_ANSWERS)
        searches = [
            Search(
                each.ids,
                question.gold if min_f1 >= 1 else _in_graph(question, answers[question.id]),
                question.called,
                tuple(answers[question.id].values()),
                min_f1,
            )
            for question, each in asked
        ]
        found: dict[str, list[tuple[Link, Chains]]] = {}
        results = find_chains(graph, neighborhood, searches, max_hops)
        for (question, mention), chains in zip(asked, results, strict=True):
            found.setdefault(question.id, []).append((mention, chains))
        for question in some:
            kept = _best_topic(question, found.get(question.id, []), told)
            if kept:
                yield kept
    report(Progress("finding chains", len(questions), len(questions), "questions"))


def _answers(
    graph: Graph, questions: Sequence[Question], most: int
) -> dict[str, dict[str, tuple[str, ...]]]:
    """The ids of some answers of each question, as far as names tell them."""
    names = {question.id: sorted(question.gold)[:most] for question in questions}
    asked = list(dict.fromkeys(name for some in names.values() for name in some))
    rows = graph.link(asked, limit=_SAME_NAME, fuzzy=False)
    ids = {
        name: tuple(row.entity.id for row in linked if row.reason in ("exact", "id"))
        for name, linked in zip(asked, rows, strict=True)
        if not linked.cut
    }
    return {id_: {name: ids.get(name, ()) for name in some} for id_, some in names.items()}


def _in_graph(question: Question, answers: Mapping[str, Sequence[str]]) -> frozenset[str]:
    """The gold answers that the graph has; all if it has none that is known."""
    return frozenset(name for name in question.gold if answers.get(name)) or question.gold


def _best_topic(
    question: Question, topics: Sequence[tuple[Link, Chains]], told: CorpusReport
) -> _Found | None:
    """The question from the mention with the shortest right chain; else the reason is counted."""
    right = [(mention, chains) for mention, chains in topics if chains.right]
    if not right:
        too_many = any(chains.too_many for _, chains in topics)
        told.drop(TOO_MANY if too_many else NO_CHAIN if topics else NO_TOPIC, question.text)
        return None
    mention, chains = min(right, key=lambda each: (len(each[1].right[0]), each[0].start))
    subject = Subject.of(question.text, key_entity_of(mention))
    return _Found(question, mention.mention, subject.masked, chains)


def _row(graph: Graph, found: KnownChain, source: str, seed: int) -> RelationRow:
    draw = random.Random(f"{seed} {found.question.id} {found.question.text}")
    texts = graph.relations
    own = wordings(found.chain, texts)
    others = hard_negatives(found.chain, found.chains.around, found.chains.right, draw)
    row = RelationRow(
        found.masked,
        tuple(map(str, found.chain)),
        own,
        (),
        graph.name,
        source,
        (found.mention,),
    )
    negatives = dict.fromkeys(wordings(other, texts) for other in others)
    return replace(row, negatives=tuple(each for each in negatives if each != own))
