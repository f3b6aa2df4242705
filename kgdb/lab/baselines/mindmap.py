"""MindMap, a baseline: *Knowledge Graph Prompting Sparks Graph of Thoughts* (Wen et al., ACL 2024).

Written after the paper. Its three steps: *mining* (§3.1), the entities of the question, the paths
from each to the next and the neighbors of each, with those of the neighbors that are like the
question; *aggregation* (§3.2), the language model puts both kinds of evidence into words; and
*reasoning* (§3.3), it draws how the evidence leads to the answer, and answers.

What differs: the answers are entities that the evidence has, read by
:mod:`kgdb.methods.answering.extraction`, and the drawn reasoning is the answer's text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from kgdb.graph.retrieval.results import Neighbor
from kgdb.language import CompletionRequest, facts
from kgdb.language.text.lines import numbered, one_line
from kgdb.language.text.prompts import language_of, prompt
from kgdb.methods.answering.abstention import cannot_verify, no_entity_named
from kgdb.methods.answering.completion import DiscardedEvidence
from kgdb.methods.answering.extraction import Evidence, extract_answers
from kgdb.methods.answering.llm_reader import LLMReader, Wording
from kgdb.methods.chains.key_entities import (
    NAMES_SCHEMA,
    NAMES_TOKENS,
    KeyEntity,
    find_key_entities,
    names_in,
)
from kgdb.methods.context import QuestionContext
from kgdb.methods.context.path_ends import entities_to_join
from kgdb.methods.option_declarations import AllowUnsupported, MethodOptions, ProofPaths, Range
from kgdb.values import Answer, Entity, Path, Step, Verdict

METHOD = "mindmap"

_WORDS_TOKENS = 200


@dataclass(frozen=True, slots=True)
class MindMapOptions(MethodOptions):
    """The options of the method."""

    max_hops: Annotated[
        int, Range(1, 10), "hops of the longest path from one entity to the next"
    ] = 4
    per_pair: Annotated[int, Range(1, 1000), "shortest paths of each two entities at most"] = 5
    per_relation: Annotated[
        int, Range(1, 1000), "neighbours of each entity and relation at most"
    ] = 5
    neighbors_expanded: Annotated[
        int,
        Range(0, 100),
        "neighbours whose own neighbours are searched, too, the most similar first",
    ] = 3
    neighbors_kept: Annotated[
        int, Range(0, 1000), "neighbour facts that are kept as evidence at most"
    ] = 30
    paths: ProofPaths = 3
    allow_unsupported: AllowUnsupported = False


class MindMap:
    """Answers questions over one graph; see the module for what it does."""

    name = METHOD

    def __init__(self, options: MindMapOptions | None = None) -> None:
        self._options = options or MindMapOptions()

    async def answer(self, ctx: QuestionContext) -> Answer:
        """The entities that answer the question, with the paths that prove each."""
        keys = await self._entities(ctx)
        if not keys:
            return no_entity_named(ctx, METHOD)
        paths = await self._paths(ctx, keys)
        neighbors, cut = await self._neighbors(ctx, keys)
        words = await self._aggregate(ctx, paths, neighbors)
        with ctx.stage("answer") as stage:
            answer = await extract_answers(
                ctx,
                METHOD,
                Evidence(
                    list(dict.fromkeys([*paths, *neighbors])),
                    [key.ids for key in keys if key.source == "question"],
                    discarded=DiscardedEvidence(cut=cut),
                ),
                LLMReader(
                    wording=_wording(ctx, words),
                    complete_sets=False,
                    allow_unsupported=self._options.allow_unsupported,
                ),
                max_proofs=self._options.paths,
            )
            stage.record(answers=[answered.entity.name for answered in answer.entities[:20]])
            return answer

    async def verify(self, ctx: QuestionContext) -> Verdict:
        """The paper answers questions only."""
        raise cannot_verify(METHOD, ctx.question)

    async def _entities(self, ctx: QuestionContext) -> list[KeyEntity]:
        """§3.1: entities of the question, by the language model and word for word."""
        with ctx.stage("entities") as stage:
            names: list[str] = []
            if ctx.llm.available:
                text = prompt("mindmap_entities", language_of(ctx.question), question=ctx.question)
                reply = await ctx.llm.complete(
                    CompletionRequest(text, NAMES_TOKENS, schema=NAMES_SCHEMA)
                )
                names = names_in(reply.text)
            keys = await find_key_entities(ctx, "", names)
            stage.record(names=names, keys=[key.to_trace() for key in keys])
            return keys

    async def _paths(self, ctx: QuestionContext, keys: Sequence[KeyEntity]) -> list[Path]:
        """§3.1, path-based: from each entity to the next one that it reaches."""
        if len(keys) < 2:
            return []
        options = self._options
        with ctx.stage("paths") as stage:
            rows = await ctx.graph.shortest_paths(
                entities_to_join(ctx, [(key.mention, key.ids) for key in keys]),
                max_hops=options.max_hops,
                per_pair=options.per_pair,
            )
            key_index = {id_: index for index, key in enumerate(keys) for id_ in key.ids}
            nearest: dict[int, int] = {}
            for row in rows:
                source, target = sorted((key_index[row.source.id], key_index[row.target.id]))
                if source != target:
                    nearest[source] = min(nearest.get(source, target), target)
            paths = [
                row.path
                for row in rows
                if nearest.get(key_index[row.source.id]) == key_index[row.target.id]
            ]
            stage.record(paths=len(paths))
            return paths

    async def _neighbors(
        self, ctx: QuestionContext, keys: Sequence[KeyEntity]
    ) -> tuple[list[Path], set[tuple[Step, ...]]]:
        """§3.1, neighbor-based: what is around the entities and around what is like the question.

        Of all these facts those most like the question are kept; also the steps of the others.
        """
        options = self._options
        with ctx.stage("neighbors") as stage:
            entities = {entity.id: entity for key in keys for entity in key.entities}
            rows = await ctx.graph.neighbors(list(entities), per_relation=options.per_relation)
            near = [_path(entities, row) for row in rows]
            scores = await _similarities(ctx, near)
            order = _highest_first(scores)
            best = {near[i].entities[-1].id: near[i].entities[-1] for i in order}
            onward = {id_: e for id_, e in best.items() if id_ not in entities}
            expanded = dict(list(onward.items())[: options.neighbors_expanded])
            if expanded:
                further = await ctx.graph.neighbors(
                    list(expanded), per_relation=options.per_relation
                )
                beyond = [_path(expanded, row) for row in further]
                near += beyond
                scores += await _similarities(ctx, beyond)
                order = _highest_first(scores)
            selected = [near[i] for i in order[: options.neighbors_kept]]
            cut = {near[i].steps for i in order[options.neighbors_kept :]}
            cut |= {path.steps for path in near} if rows.truncated else set()
            stage.record(of=len(near), kept=len(selected), expanded=list(expanded))
            return selected, cut

    async def _aggregate(
        self, ctx: QuestionContext, paths: Sequence[Path], neighbors: Sequence[Path]
    ) -> str:
        """§3.2: what the language model makes of the two kinds of evidence."""
        if not ctx.llm.available:
            return ""
        language = language_of(ctx.question)
        texts: list[str] = []
        with ctx.stage("aggregate") as stage:
            for evidence in (paths, neighbors):
                lines = [one_line(facts(path, ctx.graph.relations)) for path in evidence]
                if not lines:
                    continue

                def to_prompt(some: Sequence[str]) -> str:
                    return prompt(
                        "mindmap_words", language, facts=numbered(some), question=ctx.question
                    )

                count = ctx.llm.fit(lines, to_prompt, _WORDS_TOKENS)
                reply = await ctx.llm.complete(
                    CompletionRequest(to_prompt(lines[:count]), _WORDS_TOKENS)
                )
                texts.append(one_line(reply.text, 2000))
            stage.record(words=texts)
        return "\n".join(texts)


def _wording(ctx: QuestionContext, words: str) -> Wording:
    """§3.3: the answer and how the evidence leads to it."""
    language = language_of(ctx.question)
    return Wording(
        lambda lines: prompt(
            "mindmap_answer", language, facts=lines, words=words, question=ctx.question
        ),
        reasons=True,
    )


def _path(entities: dict[str, Entity], row: Neighbor) -> Path:
    return Path((entities[row.source], row.entity), (row.step,))


async def _similarities(ctx: QuestionContext, paths: Sequence[Path]) -> list[float]:
    """How like the question the facts of each path are."""
    texts = [one_line(facts(path, ctx.graph.relations)) for path in paths]
    return await ctx.encoder.similarities(ctx.question, texts)


def _highest_first(scores: Sequence[float]) -> list[int]:
    """The places of the scores; of equal ones the first stays first."""
    return sorted(range(len(scores)), key=lambda i: (-scores[i], i))
