"""Answers to what a person tells before asking.

*Doctor, I have a cough and a fever. What could it be?* Such a text names a few entities and asks
for what it does not name. The entities that most of the mentions are joined to are the answers, as
RoK's main paths join its key entities (§4.2.1); what the graph says of the best of them, relation
by relation, are its branches (§4.2.2). Nothing here knows of medicine: an answer is what several
mentions agree on, and what the graph describes.

No language model takes part. What is written of it is the form *text* (:mod:`kgdb.methods.texts`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from kgdb.graph.retrieval.results import Neighbor
from kgdb.lab.dialogue.dialogue_mentions import find_mentions
from kgdb.lab.dialogue.dialogue_options import Options
from kgdb.lab.dialogue.dialogue_subjects import Candidate, candidates, choose
from kgdb.language import verbalize
from kgdb.methods.answering.abstention import cannot_verify, no_entity_named
from kgdb.methods.context import QuestionContext
from kgdb.values import Answer, AnsweredEntity, Path, Step, Verdict

METHOD = "dialogue"

_LOOKED_AT = 30
"""Candidates of which the facts are read."""


class Dialogue:
    """Answers over one graph; see the module for what it does."""

    def __init__(self, options: Options | None = None, name: str = METHOD) -> None:
        self.name = name
        self._options = options or Options()

    async def answer(self, ctx: QuestionContext) -> Answer:
        """The entities that the mentions agree on, and the facts of the best of them."""
        options = self._options
        with ctx.stage("mentions") as stage:
            mentions = await find_mentions(ctx, partial=options.partial)
            stage.record(
                mentions=[
                    {"mention": each.text, "entities": [entity.id for entity in each.entities]}
                    for each in mentions
                ]
            )
        if not mentions:
            return no_entity_named(ctx, self.name)
        with ctx.stage("agreement") as stage:
            ids = [entity.id for mention in mentions for entity in mention.entities]
            rows = await ctx.graph.neighbors(ids, per_relation=options.max_degree)
            ranked = candidates(mentions, rows)[:_LOOKED_AT]
            around: dict[str, list[Neighbor]] = defaultdict(list)
            for row in await ctx.graph.neighbors(
                [candidate.entity.id for candidate in ranked], per_relation=options.per_relation
            ):
                around[row.source].append(row)
            chosen = choose(ranked, around, options.subjects)
            stage.record(
                agreement={each.entity.id: round(each.agreement, 3) for each in ranked[:10]},
                answers=[each.entity.name for each in chosen],
            )
        with ctx.stage("facts") as stage:
            facts = [
                path
                for subject in chosen[: options.described]
                for path in await self._facts(ctx, subject, around)
            ]
            stage.record(facts=len(facts))
        return Answer(
            ctx.question,
            ctx.graph.name,
            self.name,
            tuple(
                AnsweredEntity(each.entity, tuple(each.paths), len(each.paths)) for each in chosen
            ),
            retrieved=tuple(dict.fromkeys([*(p for c in chosen for p in c.paths), *facts])),
            facts=tuple(facts),
        )

    async def verify(self, ctx: QuestionContext) -> Verdict:
        """A dialogue asks."""
        raise cannot_verify(self.name, ctx.question)

    async def _facts(
        self, ctx: QuestionContext, subject: Candidate, around: Mapping[str, Sequence[Neighbor]]
    ) -> list[Path]:
        """What the graph says of a subject, the relations most like the question first."""
        steps: dict[Step, list[Neighbor]] = defaultdict(list)
        for row in around.get(subject.entity.id, ()):
            steps[row.step].append(row)
        # What only leads to it tells of others; it is told where nothing else is.
        own = {step: rows for step, rows in steps.items() if not step.reverse} or steps
        relations, name = ctx.graph.relations, subject.entity.name
        phrases = [verbalize([step], name, relations) for step in own]
        scores = await ctx.encoder.similarities(ctx.question, phrases)
        order = sorted(zip(scores, own, strict=True), key=lambda each: (-each[0], str(each[1])))
        return [
            Path((subject.entity, row.entity), (step,))
            for _, step in order[: self._options.relations]
            for row in own[step][: self._options.per_relation]
        ]
