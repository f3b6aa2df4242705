"""The check that facts prove a claim, whoever read it and however: rules, a verifier, a model.

It goes from the facts to the claim. A fact counts if the claim says it: by a word of its relation,
where the claim speaks of its ends, and in its direction. The facts that count are the proof. Every
name of the claim must be an end of one of them, and no other word may be left that claims
something: another verb, an unknown name, *most*, *only*, *seven*. What is left is told as the part
that is not proved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kgdb.language.text.prompts import language_of
from kgdb.language.text.relation_vocabulary import ClaimWord, RelationVocabulary, says_labels
from kgdb.language.text.roles import frame_of, is_symmetric, joins_alike
from kgdb.methods.chains.direction import Direction
from kgdb.methods.context import MOST_RELATIONS, QuestionContext
from kgdb.methods.proof.claim_text import ClaimText, Ends, NamedSpan
from kgdb.values import Path, Step, Triple
from kgdb.wording import listed, short


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of the facts.

    ``rival``: they speak against the claim, so one of its names is no end of theirs. ``denied``:
    the claim denies what they say. ``any_words``: the relation was found among all that there can
    be (a closed world of many relations), so words that say none stand for it.
    """

    rival: bool = False
    denied: bool = False
    any_words: bool = False


@dataclass(frozen=True, slots=True)
class Proof:
    """The facts that say what is claimed, and the parts of the claim that they do not prove."""

    facts: tuple[Path, ...]
    unproved: tuple[str, ...]


async def prove(
    ctx: QuestionContext, claim: ClaimText, facts: Sequence[Path], asked: Asked
) -> Proof:
    """The proof of a claim by facts that somebody holds for one."""
    vocabularies = {
        step.relation: RelationVocabulary.of(step.relation, ctx.graph.relations.get(step.relation))
        for path in facts
        for step in path.steps
    }
    said = claim.without(lambda span: not _is_about(span, facts) and _says(span, vocabularies))
    return await _Check(ctx, said, vocabularies, asked).proof(facts)


def is_reversed(ctx: QuestionContext, sentence: str, fact: Triple) -> bool:
    """Whether a sentence that has both names of a fact surely says it the other way round."""
    spans = []
    for end in (fact.head, fact.tail):
        start = sentence.casefold().find(end.name.casefold())
        if start < 0:
            return False
        spans.append(NamedSpan(end.name, start, start + len(end.name), frozenset({end.id})))
    claim = ClaimText.of(sentence, spans)
    path = Path((fact.head, fact.tail), (Step(fact.relation),))
    given = ctx.graph.relations.get(fact.relation)
    vocabularies = {fact.relation: RelationVocabulary.of(fact.relation, given)}
    check = _Check(ctx, claim, vocabularies, Asked())
    return check.direction(path, claim.ends_of(path)) is False


def _is_about(span: NamedSpan, facts: Sequence[Path]) -> bool:
    return any(entity.id in span.ids for path in facts for entity in path.entities)


def _says(span: NamedSpan, vocabularies: Mapping[str, RelationVocabulary]) -> bool:
    """Whether a span is no thing but words of the relations: *key person for BBC*."""
    words = ClaimText(span.text, ()).gap(0)
    return bool(words) and all(
        any(each.says(word) for each in vocabularies.values()) for word in words
    )


@dataclass(frozen=True, slots=True)
class _Check:
    ctx: QuestionContext
    claim: ClaimText
    vocabularies: dict[str, RelationVocabulary]
    asked: Asked

    async def proof(self, facts: Sequence[Path]) -> Proof:
        reasons: dict[str, None] = {}
        kept = []
        for path in facts:
            if reason := self._why_not(path, facts):
                reasons[reason] = None
            else:
                kept.append(path)
        if not kept:
            words = await self._words(facts)
            return Proof((), tuple(words or reasons or ["no fact shown says it"]))
        return Proof(tuple(kept), (*self._names(kept), *await self._words(kept)))

    def _names(self, facts: Sequence[Path]) -> list[str]:
        """The names that no fact is about."""
        ends = {entity.id for path in facts for entity in path.entities}
        missing = []
        for span in self.claim.spans:
            if span.near:
                missing.append(only_near(span.text, span.near))
            elif not (self.asked.rival or span.ids & ends):
                missing.append(f"no fact shown is about {short(span.text)}")
        return missing

    async def _words(self, facts: Sequence[Path]) -> list[str]:
        """The words that no fact says."""
        left: list[list[ClaimWord]] = []
        for number, words in self.claim.gaps():
            relations = self._relations_beside(number, facts)
            left += self.claim.runs(
                [
                    word
                    for word in words
                    if not any(self.vocabularies[relation].has(word) for relation in relations)
                    and not (self.asked.denied and self.claim.denies(word))
                ]
            )
        labels = await self._labels() if left else []
        # Where a fact leaves an end out, any word could be the name of another thing there.
        loose = all(self._may_be_said(self.claim.ends_of(path)) for path in facts)
        reasons = []
        for run in left:
            rest = [word for word in run if not says_labels(word, labels)]
            text = self.claim.text[rest[0].start : rest[-1].end] if rest else ""
            if any(map(self.claim.looks_like_name, rest)):
                reasons.append(unknown([text]))
            elif any(map(self.claim.claims_more, rest)):
                reasons.append(f"no single fact says {short(text)}")
            elif rest and not loose:
                reasons.append(f"no fact shown says {short(text)}")
        return reasons

    def _why_not(self, path: Path, facts: Sequence[Path]) -> str | None:
        """Why the claim does not say a fact, or says another one."""
        ends = self.claim.ends_of(path)
        if not (self._may_be_said(ends) or self._is_said(path, ends, facts)):
            return "the facts shown say something else"
        direction = self.direction(path, ends)
        if direction is False and not self._excludes(path, ends):
            return "the fact shown runs the other way round"
        if direction is None and self._needs_direction(path, ends):
            return "it is not clear which way round the claim says it"
        return None

    def _excludes(self, path: Path, ends: Ends) -> bool:
        """Whether a rival fact that runs the other way round excludes the claim by that."""
        relation = path.steps[0].relation
        frame = frame_of(relation, self.ctx.graph.relations.get(relation))
        return self.asked.rival and None not in ends and frame.asymmetric

    def _relations_beside(self, number: int, facts: Sequence[Path]) -> set[str]:
        """The relations that words in a gap may say.

        If a fact joins the spans at both sides, they say this one.
        """
        joined: set[str] = set()
        beside: set[str] = set()
        anywhere: set[str] = set()
        for path in facts:
            relations = {step.relation for step in path.steps}
            ends = {end for end in self.claim.ends_of(path) if end is not None}
            anywhere |= relations
            if ends == {number - 1, number}:
                joined |= relations
            if not ends.isdisjoint((number - 1, number)):
                beside |= relations
        return joined or beside or anywhere

    def _is_said(self, path: Path, ends: Ends, facts: Sequence[Path]) -> bool:
        """Whether words of the claim say each step, in the order of the path."""
        zone = self.claim.zone(ends, wide=len(path.steps) > 1)
        if not zone and len(path.steps) == 1:
            return self._is_said_by_preposition(path, ends, facts)
        places = [
            [word.start for word in zone if self.vocabularies[step.relation].says(word)]
            for step in path.steps
        ]
        if not all(places):
            return False
        start, end = ends
        if start is not None and end is not None and start > end:
            places.reverse()
        order = [min(each) for each in places]
        return order == sorted(order)

    def _may_be_said(self, ends: Ends) -> bool:
        """Whether a fact counts whose relation the claim does not name.

        Only where the relation was sought among so many that each is said in many ways, and only
        between two things: one that the claim leaves out could be any other.
        """
        return self.asked.any_words and (self.asked.rival or None not in ends)

    def _is_said_by_preposition(self, path: Path, ends: Ends, facts: Sequence[Path]) -> bool:
        """Whether only a preposition of the relation's name stands there: *F is in French*."""
        start, end = ends
        if start is None or end is None or abs(start - end) != 1:
            return False
        words = {word.key for word in self.claim.words(max(start, end))}
        others = {each.steps for each in facts if self.claim.ends_of(each) == ends} - {path.steps}
        return not others and bool(words & self.vocabularies[path.steps[0].relation].prepositions)

    def direction(self, path: Path, ends: Ends) -> bool | None:
        """Whether the claim says the fact as it runs; ``None`` if its words do not tell."""
        senses = self.vocabularies[path.steps[0].relation].senses
        if len(path.steps) == 1 and is_symmetric(senses) and joins_alike(senses):
            return True
        back = tuple(step.back for step in reversed(path.steps))
        views = {
            self._view(steps, number)
            for steps, number in ((path.steps, ends[0]), (back, ends[1]))
            if number is not None
        }
        if len(views) == 1 and None not in views:
            return views.pop()
        if views == {True, False} or len(path.steps) > 1:
            return None
        return self._direction_by_slots(path.steps[0], ends)

    def _view(self, steps: Sequence[Step], number: int) -> bool | None:
        spans = [(span.start, span.end) for span in self.claim.spans]
        others = [span for n, span in enumerate(spans) if n != number]
        direction = Direction.of(self.claim.text, spans[number], others)
        return direction.agrees(self.ctx, steps, any_kind=True)

    def _direction_by_slots(self, step: Step, ends: Ends) -> bool | None:
        """The direction by the word before a name: *in*, as before the tail of ``born_in``."""
        vocabulary = self.vocabularies[step.relation]
        heads, tails = (ends[1], ends[0]) if step.reverse else ends
        for number, own in ((heads, "head"), (tails, "tail")):
            before = self.claim.words(number) if number is not None else []
            end = vocabulary.end_behind(before[-1]) if before else None
            if end is not None:
                return end == own
        return None

    def _needs_direction(self, path: Path, ends: Ends) -> bool:
        """Whether a fact between two names could be claimed the other way round."""
        if self.asked.any_words or None in ends or len(path.steps) > 1:
            return False
        # Chinese tells its roles by particles that are left out as often as not.
        return language_of(self.claim.text) != "zh"

    async def _labels(self) -> set[str]:
        """The labels at the ends of the facts' relations."""
        if len(self.ctx.graph.relations) > MOST_RELATIONS:
            return set()
        schema = await self.ctx.graph.schema()
        return {
            label
            for relation in self.vocabularies
            if (ends := schema.relations.get(relation))
            for label in (*ends.heads, *ends.tails)
        }


_UNKNOWN = "the graph knows no"


def only_near(text: str, name: str) -> str:
    """What to say of a name that the graph has only in a similar form."""
    return f"{_UNKNOWN} {short(text)}; did you mean {short(name)}?"


def unknown(names: Sequence[str]) -> str:
    """What to say of names that the graph does not have."""
    return f"{_UNKNOWN} {listed([short(name) for name in names])}"
