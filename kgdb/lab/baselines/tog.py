"""Think-on-Graph (Sun et al., ICLR 2024), the baseline: the language model walks the graph.

Section 2: from the topic entities a beam of ``width`` reasoning paths grows hop by hop. At each hop
the model *prunes relations* and then *entities* (2.1, 2.2), and says whether the paths *suffice*
(2.3); if they do, or at ``depth`` hops, it answers from them.

What differs: all candidates of a hop are one statement to the database; of many candidates those
that an encoder finds most like the question are shown, where the paper draws some at random; the
model answers with entities of the paths only. Without a language model the encoder's similarities
prune, and every question is explored to its depth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from kgdb.graph.retrieval.results import Neighbor
from kgdb.language import CompletionRequest, fact, facts, verbalize_question
from kgdb.language.text.lines import numbered, one_line
from kgdb.language.text.prompts import language_of, prompt
from kgdb.language.text.replies import value_in
from kgdb.methods.answering.abstention import cannot_verify, no_entity_named
from kgdb.methods.answering.completion import DiscardedEvidence
from kgdb.methods.answering.extraction import Evidence, extract_answers
from kgdb.methods.answering.llm_reader import LLMReader
from kgdb.methods.context import QuestionContext
from kgdb.methods.option_declarations import AllowUnsupported, MethodOptions, ProofPaths, Range
from kgdb.values import Answer, Entity, Path, Step, Verdict
from kgdb.wording import counted, plural

METHOD = "tog"

_TOKENS = 150
_ENOUGH = {"en": ("yes", "no"), "zh": ("是", "否")}
_SAME_NAME = 3
"""Entities of one name that are begun with."""


@dataclass(frozen=True, slots=True)
class ToGOptions(MethodOptions):
    """The options of the method."""

    width: Annotated[int, Range(1, 50), "reasoning paths that are kept, the paper's N"] = 3
    depth: Annotated[int, Range(1, 6), "hops of the longest path, the paper's D"] = 3
    max_candidates: Annotated[
        int,
        Range(1, 200),
        "relations, or entities, that the language model chooses among at a time",
    ] = 20
    per_relation: Annotated[
        int, Range(1, 10_000), "entities of each entity and relation that are followed at most"
    ] = 100
    early_stop: Annotated[
        bool, "ask the language model after each hop whether the paths suffice"
    ] = True
    paths: ProofPaths = 3
    allow_unsupported: AllowUnsupported = False


@dataclass(frozen=True, slots=True)
class _Grown:
    """A reasoning path and its score, the product of what its last relation and entity got."""

    path: Path
    score: float


@dataclass(frozen=True, slots=True)
class _Branch:
    """A relation of the end of a path, its score, and what it leads to there."""

    before: Path
    step: Step
    score: float
    ends: tuple[Entity, ...]


class ToG:
    """Answers questions over one graph; see the module for what it does."""

    name = METHOD

    def __init__(self, options: ToGOptions | None = None) -> None:
        self._options = options or ToGOptions()

    async def answer(self, ctx: QuestionContext) -> Answer:
        """The entities that answer the question, with the paths that prove each."""
        with ctx.stage("topic entities") as stage:
            links = await ctx.graph.mentions(ctx.question)
            topics = [e for link in links for e in link.entities[:_SAME_NAME]]
            topics = list(dict.fromkeys(topics))[: self._options.width]
            mentioned = {entity for link in links for entity in link.entities}
            stage.record(topics=[entity.id for entity in topics], named=len(mentioned))
            if len(mentioned) > len(topics):
                ctx.note(
                    f"Of {counted(len(mentioned), 'entity', 'entities')} that the question may "
                    f"name {len(topics)} {plural(len(topics), 'was', 'were')} explored: the method "
                    "keeps so many paths (width)."
                )
        if not topics:
            return no_entity_named(ctx, METHOD)
        beam = [Path((topic,), ()) for topic in topics]
        explored: list[Path] = []
        for hop in range(1, self._options.depth + 1):
            with ctx.stage(f"explore hop {hop}") as stage:
                branches = await self._relations(ctx, beam)
                grown = await self._entities(ctx, branches)
                beam = [each.path for each in grown]
                stage.record(
                    relations=[f"{b.before.entities[-1].name} –{b.step}→" for b in branches],
                    kept=[
                        {"path": facts(g.path, ctx.graph.relations), "score": round(g.score, 4)}
                        for g in grown
                    ],
                )
                if not beam:
                    break
                # What was found last is what was looked for longest.
                explored = [*beam, *explored]
                if await self._enough(ctx, explored, last=hop == self._options.depth):
                    stage.record(enough=True)
                    break
        with ctx.stage("answer") as stage:
            answer = await extract_answers(
                ctx,
                METHOD,
                Evidence(
                    list(dict.fromkeys(explored)),
                    [link.ids for link in links],
                    discarded=DiscardedEvidence(
                        cut={path.steps for path in explored}
                        if len(mentioned) > len(topics)
                        else ()
                    ),
                ),
                LLMReader(allow_unsupported=self._options.allow_unsupported),
                max_proofs=self._options.paths,
            )
            stage.record(answers=[answered.entity.name for answered in answer.entities[:20]])
        return answer

    async def verify(self, ctx: QuestionContext) -> Verdict:
        """The paper answers questions only."""
        raise cannot_verify(METHOD, ctx.question)

    async def _relations(self, ctx: QuestionContext, beam: Sequence[Path]) -> list[_Branch]:
        """Section 2.1: the relations of each end that the model finds of use, the best N of all."""
        around = await ctx.graph.neighbors(
            list(dict.fromkeys(path.entities[-1].id for path in beam)),
            per_relation=self._options.per_relation,
            limit=self._options.per_relation * 1000,
        )
        branches: list[_Branch] = []
        branches_of_each = [_branches(path, around) for path in beam]
        texts = [
            [
                one_line(
                    verbalize_question((b.step,), b.before.entities[-1].name, ctx.graph.relations)
                )
                for b in branches_of_path
            ]
            for branches_of_path in branches_of_each
        ]
        scored = await self._scores(ctx, [path.entities[-1] for path in beam], texts)
        for candidates, scores in zip(branches_of_each, scored, strict=True):
            branches += [replace(candidates[i], score=score) for i, score in scores]
        return sorted(branches, key=lambda b: -b.score)[: self._options.width]

    async def _entities(self, ctx: QuestionContext, branches: Sequence[_Branch]) -> list[_Grown]:
        """Section 2.2: of the entities that these lead to, those that the model finds of use."""
        grown = [[_extended(branch, end) for end in branch.ends] for branch in branches]
        texts = [
            [one_line(fact(path.triples[-1], ctx.graph.relations)) for path in paths]
            for paths in grown
        ]
        scored = await self._scores(ctx, [None] * len(grown), texts)
        extended = [
            _Grown(paths[i], branch.score * score)
            for branch, paths, scores in zip(branches, grown, scored, strict=True)
            for i, score in scores
        ]
        return sorted(extended, key=lambda each: -each.score)[: self._options.width]

    async def _scores(
        self,
        ctx: QuestionContext,
        entities: Sequence[Entity | None],
        texts: Sequence[Sequence[str]],
    ) -> list[list[tuple[int, float]]]:
        """For each list of texts the best N, as places and scores, best first.

        ``entities``: whose relations the texts are, ``None`` where they are facts.
        The encoder's similarity chooses what the language model is shown, and stands in for it.
        """
        candidates = []
        for lines in texts:
            similarities = await ctx.encoder.similarities(ctx.question, lines)
            order = sorted(range(len(lines)), key=lambda i: (-similarities[i], i))
            candidates.append(
                [(i, max(similarities[i], 0.0)) for i in order[: self._options.max_candidates]]
            )
        width = self._options.width
        to_ask = [n for n, lines in enumerate(candidates) if len(lines) > 1]
        if not ctx.llm.available or not to_ask:
            return [lines[:width] for lines in candidates]
        completions = await ctx.llm.completions(
            [self._ask(ctx, entities[n], [texts[n][i] for i, _ in candidates[n]]) for n in to_ask]
        )
        for n, reply in zip(to_ask, completions, strict=True):
            chosen = _parsed_choice(reply.text, len(candidates[n]))
            if not chosen:
                ctx.note("The language model did not choose what to follow: similarity did.")
            candidates[n] = [
                (candidates[n][index][0], score) for index, score in chosen
            ] or candidates[n]
        return [lines[:width] for lines in candidates]

    def _ask(
        self, ctx: QuestionContext, entity: Entity | None, lines: Sequence[str]
    ) -> CompletionRequest:
        language, question = language_of(ctx.question), one_line(ctx.question, 10_000)
        most = str(self._options.width)

        def to_prompt(kept: Sequence[str]) -> str:
            listed = numbered(kept)
            if entity is None:
                return prompt("tog_entities", language, facts=listed, most=most, question=question)
            return prompt(
                "tog_relations",
                language,
                entity=one_line(entity.name),
                relations=listed,
                most=most,
                question=question,
            )

        unit = "relations" if entity else "facts"
        kept = ctx.llm.fit(lines, to_prompt, _TOKENS, unit)
        return CompletionRequest(
            to_prompt(lines[:kept]), max_tokens=_TOKENS, schema=_schema(kept, int(most))
        )

    async def _enough(self, ctx: QuestionContext, explored: Sequence[Path], *, last: bool) -> bool:
        """Section 2.3: whether the paths suffice to answer; only a model can tell."""
        if not ctx.llm.available or last or not self._options.early_stop:
            return False
        language = language_of(ctx.question)
        lines = [one_line(facts(path, ctx.graph.relations)) for path in explored]

        def to_prompt(kept: Sequence[str]) -> str:
            return prompt(
                "tog_enough",
                language,
                facts=numbered(kept),
                question=one_line(ctx.question, 10_000),
            )

        kept = ctx.llm.fit(lines, to_prompt, _TOKENS)
        reply = await ctx.llm.complete(
            CompletionRequest(to_prompt(lines[:kept]), choices=_ENOUGH[language])
        )
        return reply.text == _ENOUGH[language][0]


def _branches(before: Path, around: Sequence[Neighbor]) -> list[_Branch]:
    """The relations of the end of a path, each with what it leads to; never back on the path."""
    ends: dict[Step, dict[Entity, None]] = {}
    for neighbor in around:
        # Ids tell entities apart: one without a name, or with another's, is one of its own.
        if neighbor.source == before.entities[-1].id and neighbor.entity not in before.entities:
            ends.setdefault(neighbor.step, {}).setdefault(neighbor.entity)
    return [_Branch(before, step, 0.0, tuple(ends[step])) for step in sorted(ends)]


def _extended(branch: _Branch, end: Entity) -> Path:
    before = branch.before
    return Path((*before.entities, end), (*before.steps, branch.step))


def _schema(count: int, maximum: int) -> dict[str, Any]:
    item = {
        "type": "object",
        "properties": {
            "number": {"type": "integer", "minimum": 1, "maximum": count},
            "score": {"type": "number", "minimum": 0, "maximum": 1},
        },
        "required": ["number", "score"],
        "additionalProperties": False,
    }
    chosen = {"type": "array", "items": item, "minItems": 1, "maxItems": maximum}
    return {
        "type": "object",
        "properties": {"chosen": chosen},
        "required": ["chosen"],
        "additionalProperties": False,
    }


def _parsed_choice(reply: str, count: int) -> list[tuple[int, float]]:
    """The places that a reply chooses with their scores, best first; none where it is no choice."""
    try:
        items = value_in(reply, "chosen") or ()
        pairs = [(each["number"], each["score"]) for each in items]
    except (TypeError, KeyError):
        return []
    scores: dict[int, float] = {}
    for number, score in pairs:
        if type(number) is int and 1 <= number <= count and isinstance(score, int | float):
            scores.setdefault(number - 1, min(max(float(score), 0.0), 1.0))
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))
