"""A corpus from a graph alone: chains walked from its entities, put into questions by templates.

So a model can be tuned to a graph that nobody has asked anything about. A part of the entities, of
the chains and of the phrasings is held back, for a score before and after.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import zip_longest

from kgdb.errors import UsageError
from kgdb.graph import Graph
from kgdb.lab.training.corpus.chain_finding import Chain, Search, find_chains
from kgdb.lab.training.corpus.negatives import hard_negatives
from kgdb.lab.training.corpus.neighborhood import Neighborhood
from kgdb.lab.training.corpus.questioning import Questioner
from kgdb.lab.training.corpus.report import CorpusReport
from kgdb.lab.training.corpus.rows import RelationRow
from kgdb.lab.training.corpus.sampling import chance, sample_facts
from kgdb.methods.chains.adapter_purpose import wordings
from kgdb.progress import Progress, Report, silent
from kgdb.values import Entity, Triple, chain_text
from kgdb.wording import short

TEMPLATES = "templates"
HELD_BACK = "templates, held back"
"""The sources of rows that are for training, and of those that are not."""

ROWS = 4000
HELD_BACK_SHARE = 0.2

_TOGETHER = 100
"""Entities that are looked around in the same round trips."""

_EACH = 4
"""Questions about an entity, where there are entities enough."""

_MOST_EACH = 60
_SPARE = 1.3
"""Questions that are made for each that is wanted: some are dropped."""

_TRIES = 4
"""Phrasings that are tried until one is new."""

_HOPS = (0.35, 0.4, 0.25)
"""How many of the chains have one, two and three hops."""

_MAX_NODES = 200
"""Ends that are looked at around an entity after each hop: some chains are wanted, not all."""

_MAX_ENDS = 200
_MAX_NAME = 100

NO_ENDS = "the chain has no ends but its start"
MANY_ENDS = f"the chain of several hops has more than {_MAX_ENDS} ends"
UNUSABLE = "the texts of its relations make no question"
THERE = "the question is there already"
OTHER_PART = "the question belongs to the other part"


def is_held_back(row: RelationRow) -> bool:
    """Whether a row is not for training."""
    return row.source == HELD_BACK


def corpus_from_graph(
    graph: Graph,
    *,
    rows: int = ROWS,
    max_hops: int = 3,
    held_back: float = HELD_BACK_SHARE,
    seed: int = 0,
    report: Report = silent,
) -> tuple[list[RelationRow], CorpusReport]:
    """At most ``rows`` rows about a graph, and what was dropped.

    A share ``held_back`` of the entities, of the chains of several hops and of the phrasings is in
    rows of the source :data:`HELD_BACK` alone. The same graph and arguments give the same rows.
    """
    maker = _Maker(graph, seed, held_back, max_hops)
    starts = _starts(sample_facts(graph.facts(), seed), seed)
    if not starts:
        raise UsageError(
            f"The graph {short(graph.name)} has no facts to ask about.",
            hint="kgdb graphs lists what is loaded.",
        )
    starts = starts[: max(1, rows // _EACH)]
    each = min(_MOST_EACH, -int(-rows * _SPARE // len(starts)))
    made: list[RelationRow] = []
    for begin in range(0, len(starts), _TOGETHER):
        made += maker.rows(starts[begin : begin + _TOGETHER], each)
        report(Progress("asking by templates", min(len(made), rows), rows, "questions"))
    made = _thinned(made, rows, seed)
    report(Progress("asking by templates", rows, rows, "questions"))
    for row in made:
        maker.told.keep(asdict(row), len(row.chain))
        maker.told.held_back += is_held_back(row)
    return made, maker.told


def _starts(facts: Mapping[str, Sequence[Triple]], seed: int) -> list[Entity]:
    """Entities to ask about, each once: in turn some with each relation, at either end."""
    found: dict[Entity, None] = {}
    for some in zip_longest(*facts.values()):
        for fact in some:
            if fact is not None:
                at_head = chance(seed, "end", fact.head.id, fact.relation, fact.tail.id) < 0.5
                found[fact.head if at_head else fact.tail] = None
    return [entity for entity in found if entity.name.strip() and len(entity.name) <= _MAX_NAME]


def _thinned(rows: list[RelationRow], number: int, seed: int) -> list[RelationRow]:
    """As many of the rows, in their order."""
    if len(rows) <= number:
        return rows
    chosen = sorted(random.Random(seed).sample(range(len(rows)), number))
    return [rows[place] for place in chosen]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question about an entity, with the chains beside its own."""

    start: Entity
    chain: Chain
    question: str
    around: Sequence[Chain]
    held_back: bool


@dataclass(slots=True)
class _Maker:
    """Makes the rows about entities; what it has asked already it does not ask again."""

    graph: Graph
    seed: int
    share: float
    max_hops: int
    told: CorpusReport = field(init=False)
    _neighborhood: Neighborhood = field(init=False)
    _questioner: Questioner = field(init=False)
    _parts: dict[str, bool] = field(init=False, default_factory=dict)
    _held_chains: dict[Chain, bool] = field(init=False, default_factory=dict)
    _seen: set[tuple[str, Chain]] = field(init=False, default_factory=set)

    def __post_init__(self) -> None:
        self.told = CorpusReport(self.graph.name, TEMPLATES)
        self._neighborhood = Neighborhood(self.graph)
        self._questioner = Questioner(self.graph)

    def rows(self, starts: Sequence[Entity], each: int) -> list[RelationRow]:
        """Rows about some entities: ``each`` questions are tried about each of them."""
        searches = [Search((start.id,)) for start in starts]
        found = find_chains(
            self.graph, self._neighborhood, searches, self.max_hops, max_nodes=_MAX_NODES
        )
        asked = [
            one
            for start, chains in zip(starts, found, strict=True)
            for one in self._about(start, chains.around, each)
        ]
        return [self._row(one) for one in self._with_ends(asked)]

    def _about(self, start: Entity, around: Sequence[Chain], each: int) -> Iterator[_Asked]:
        draw = random.Random(f"{self.seed} {start.id}")
        held_back = self._is_held("entity", start.id)
        usable = [chain for chain in around if not self._is_at_mediator(chain)]
        by_hops: list[list[Chain]] = [[] for _ in range(self.max_hops)]
        for chain in usable:
            if len(chain) == 1 or self._is_chain_held(chain) == held_back:
                by_hops[len(chain) - 1].append(chain)
        if not any(by_hops):
            return
        for _ in range(each):
            chain = _drawn(by_hops, draw)
            question, reason = self._new_question(chain, draw, held_back=held_back)
            if reason:
                self.told.drop(reason, question)
            else:
                yield _Asked(start, chain, question, around, held_back)

    def _new_question(
        self, chain: Chain, draw: random.Random, *, held_back: bool
    ) -> tuple[str, str]:
        """A question that was not asked yet and belongs to the part; or any, and what is wrong."""
        question, reason = "", ""
        for _ in range(_TRIES):
            question = self._questioner.ask(chain, draw) or ""
            if not question:
                return chain_text(chain), UNUSABLE
            if (question, chain) in self._seen:
                reason = THERE
            elif self._part_of(chain, question, held_back=held_back) != held_back:
                reason = OTHER_PART
            else:
                self._seen.add((question, chain))
                return question, ""
        return question, reason

    def _part_of(self, chain: Chain, question: str, *, held_back: bool) -> bool:
        """The part that a text belongs to, whichever chain it is of."""
        text = question.casefold().rstrip("?")
        own = self._is_held("text", text) if len(chain) == 1 else held_back
        return self._parts.setdefault(text, own)

    def _is_held(self, kind: str, what: str) -> bool:
        return chance(self.seed, kind, what) < self.share

    def _is_chain_held(self, chain: Chain) -> bool:
        """Whether a chain of several hops is held back; one of a single hop never is."""
        if chain not in self._held_chains:
            is_long = len(chain) > 1
            self._held_chains[chain] = is_long and self._is_held("chain", chain_text(chain))
        return self._held_chains[chain]

    def _is_at_mediator(self, chain: Chain) -> bool:
        first, last = chain[0].back, chain[-1]
        return any(
            info.leads_to_mediators(reverse=step.reverse)
            for step in (first, last)
            if (info := self.graph.relations.get(step.relation))
        )

    def _with_ends(self, asked: Sequence[_Asked]) -> Iterator[_Asked]:
        """Those whose chains, followed in the database, lead to something else than the start."""
        if not asked:
            return
        followed = self.graph.batch.follow(
            [[one.start.id] for one in asked],
            [one.chain for one in asked],
            limit=_MAX_ENDS + 1,
            paths=0,
        )
        for one, ends in zip(asked, followed, strict=True):
            if all(row.entity.id == one.start.id for row in ends):
                self.told.drop(NO_ENDS, one.question)
            elif len(ends) > _MAX_ENDS and len(one.chain) > 1:
                self.told.drop(MANY_ENDS, one.question)
            else:
                yield one

    def _row(self, one: _Asked) -> RelationRow:
        draw = random.Random(f"{self.seed} {one.start.id} {one.question}")
        texts = self.graph.relations
        own = wordings(one.chain, texts)
        # What is held back is not seen in training, neither as a wrong chain.
        around = [c for c in one.around if one.held_back or not self._is_chain_held(c)]
        others = hard_negatives(one.chain, around, (), draw)
        negatives = dict.fromkeys(wordings(other, texts) for other in others)
        return RelationRow(
            one.question,
            tuple(map(str, one.chain)),
            own,
            tuple(each for each in negatives if each != own),
            self.graph.name,
            HELD_BACK if one.held_back else TEMPLATES,
            (one.start.name,),
        )


def _drawn(by_hops: Sequence[Sequence[Chain]], draw: random.Random) -> Chain:
    """A chain of a random length with a random relation, however many chains have that."""
    weights = [weight if some else 0.0 for weight, some in zip(_HOPS, by_hops, strict=False)]
    (some,) = draw.choices(by_hops, weights)
    relation = draw.choice(sorted({step.relation for chain in some for step in chain}))
    return draw.choice([chain for chain in some if any(s.relation == relation for s in chain)])
