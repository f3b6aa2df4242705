"""Whether relation chains have the direction that a question or a claim says.

*Who manages Tess Roy?* asks for the head of ``manages``, *whom does Tess Roy manage?* for its tail.
The relation's words and the sentence's decide (:mod:`kgdb.language.text.roles`); where either is
unclear, nothing is excluded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass

from kgdb.language.text.roles import Frame, Reading, frame_of, is_symmetric, joins_alike, read
from kgdb.language.text.roles.role_reading import Span, shares
from kgdb.methods.context import QuestionContext
from kgdb.values import Step


@dataclass(frozen=True, slots=True)
class Direction:
    """What a sentence says of the direction of chains that start from one of its mentions."""

    readings: tuple[Reading, ...]
    one_kind: Set[str] = frozenset()

    @classmethod
    def of(
        cls,
        sentence: str,
        span: Span | None,
        others: Sequence[Span] = (),
        one_kind: Set[str] = frozenset(),
    ) -> Direction:
        """The direction as seen from the mention at ``span``, if the sentence has it.

        ``one_kind`` are the relations that are seen to join things of one kind. Of others the kind
        of the mention settles the direction, whatever the grammar of the sentence.
        """
        # What is shared lies on a way there and back, and the words say only one of them.
        if span is None or shares(sentence):
            return cls((), one_kind)
        return cls(read(sentence, span, others), one_kind)

    def contradicts(self, ctx: QuestionContext, steps: Sequence[Step]) -> bool:
        """Whether a chain surely runs against the words."""
        return self.agrees(ctx, steps) is False

    def agrees(
        self, ctx: QuestionContext, steps: Sequence[Step], *, any_kind: bool = False
    ) -> bool | None:
        """Whether a chain runs as the words say; ``None`` if they do not name each of its steps.

        With ``any_kind`` they decide for relations between different kinds of things, too.
        """
        verdicts = {self._step_agrees(ctx, step, steps, any_kind=any_kind) for step in steps}
        if False in verdicts:
            return False
        return None if None in verdicts else True

    def is_said(self, ctx: QuestionContext, steps: Sequence[Step]) -> bool:
        """Whether the words name every step, and each of them is about one.

        Some step must have a direction that the words decide.
        """
        agree = [self._step_agrees(ctx, step, steps) for step in steps]
        if True not in agree or False in agree:
            return False
        frames = [self._frame(ctx, step).head.keys() for step in steps]
        words = [reading for reading in self.readings if not reading.incidental]
        about = [
            {n for n, frame in enumerate(frames) if word.roles.keys() & frame} for word in words
        ]
        named = frozenset[int]().union(*about)
        return all(about) and len(named) == len(steps) <= sum(word.count for word in words)

    def _step_agrees(
        self, ctx: QuestionContext, step: Step, steps: Sequence[Step], *, any_kind: bool = False
    ) -> bool | None:
        """Whether a step of a chain runs as the words say.

        A word may be about any step of a relation that it names. It is about one, or as many as it
        counts.
        """
        if not self.readings:
            return None
        frame = self._frame(ctx, step)
        if not (votes := self._votes(frame, step)):
            return None
        one_kind = step.relation in self.one_kind or any(vote.alike for vote in votes)
        if not (any_kind or one_kind):
            return None
        agreeing = [vote for vote in votes if vote.agrees is not False]
        if not agreeing:
            return False
        if any(vote.agrees is None for vote in votes):
            return None
        nouns = Counter(vote.noun for vote in agreeing if vote.noun)
        at_least = max([*(vote.count for vote in agreeing), *nouns.values()])
        alike = sum(not frame.head.keys().isdisjoint(self._frame(ctx, one).head) for one in steps)
        return at_least <= alike and steps.count(step) <= sum(vote.count for vote in agreeing)

    def _frame(self, ctx: QuestionContext, step: Step) -> Frame:
        return frame_of(step.relation, ctx.graph.relations.get(step.relation))

    def _votes(self, frame: Frame, step: Step) -> list[_Vote]:
        """What each word that is about the step's relation says of its direction."""
        votes = []
        for reading in self.readings:
            shared = reading.roles.keys() & frame.head.keys()
            # What a relation is called as a noun says more than the verb that it may come from.
            shared = {key for key in shared if key.startswith("noun:")} or shared
            if not shared or is_symmetric(reading.roles):
                continue
            # The mention's side of the step is the relation's head, or its tail.
            agree = {(reading.roles[key] == frame.head[key]) != step.reverse for key in shared}
            own_word = any(":" in key for key in shared)
            count = 1 if own_word else reading.count
            agrees = agree.pop() if len(agree) == 1 else None
            votes.append(_Vote(agrees, count, reading.noun, joins_alike(shared)))
        return votes


@dataclass(frozen=True, slots=True)
class _Vote:
    """Whether a word agrees with a step (``None``: unclear), and for how many steps it stands.

    ``alike``: what it says joins things of one kind as a rule.
    """

    agrees: bool | None
    count: int
    noun: str | None
    alike: bool
