"""MindMap, a baseline: *Knowledge Graph Prompting Sparks Graph of Thoughts* (Wen et al., ACL 2024).

Written after the paper. Its three steps: *mining* (§3.1), the entities of the question, the paths
from each to the next and the neighbours of each, with those of the neighbours that are like the
question; *aggregation* (§3.2), the language model puts both kinds of evidence into words; and
*reasoning* (§3.3), it draws how the evidence leads to the answer, and answers.

What differs: the answers are entities that the evidence has, read by
:mod:`kgdb.methods.reading`, and the drawn reasoning is the answer's text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgdb.graph import Neighbor
from kgdb.language import Ask, facts
from kgdb.language.prompts import language_of, prompt
from kgdb.methods.completing import LeftOut
from kgdb.methods.keys import NAMES, NAMES_TOKENS, Key, find_keys, names_of
from kgdb.methods.lines import numbered, one_line
from kgdb.methods.pairing import paired
from kgdb.methods.reading import Wording, read_answers
from kgdb.methods.refusals import cannot_verify, names_nothing
from kgdb.methods.settings import check_ranges
from kgdb.methods.work import Work
from kgdb.values import Answer, Entity, Path, Step, Verdict

METHOD = "mindmap"

_WORDS_TOKENS = 200


@dataclass(frozen=True, slots=True)
class Options:
    """The knobs of the method.

    ``max_hops``: the longest path from one entity to the next. ``per_pair`` shortest paths are
    kept of each two, and ``per_relation`` neighbours for each entity and relation. ``expanded``:
    neighbours most like the question whose neighbours are looked at too (0: none). ``kept``:
    neighbour facts that are used. ``paths``: those kept as the proof of each answer.
    ``allow_unsupported`` keeps what the language model answers beyond the evidence.
    """

    max_hops: int = 4
    per_pair: int = 5
    per_relation: int = 5
    expanded: int = 3
    kept: int = 30
    paths: int = 3
    allow_unsupported: bool = False

    def __post_init__(self) -> None:
        check_ranges(
            self,
            ("max_hops", 1, 10),
            ("per_pair", 1, 1000),
            ("per_relation", 1, 1000),
            ("expanded", 0, 100),
            ("kept", 0, 1000),
            ("paths", 1, 1000),
        )


class MindMap:
    """Answers questions over one graph; see the module for what it does."""

    name = METHOD

    def __init__(self, options: Options | None = None) -> None:
        self._options = options or Options()

    async def answer(self, work: Work) -> Answer:
        """The entities that answer the question, with the paths that prove each."""
        keys = await self._entities(work)
        if not keys:
            return names_nothing(work, METHOD)
        paths = await self._paths(work, keys)
        neighbors, cut = await self._neighbors(work, keys)
        words = await self._in_words(work, paths, neighbors)
        with work.stage("answer") as stage:
            answer = await read_answers(
                work,
                METHOD,
                list(dict.fromkeys([*paths, *neighbors])),
                [key.ids for key in keys if key.source == "question"],
                paths=self._options.paths,
                allow_unsupported=self._options.allow_unsupported,
                complete_sets=False,
                wording=_wording(work, words),
                left_out=LeftOut(cut=cut),
            )
            stage.say(answers=[answered.entity.name for answered in answer.entities[:20]])
            return answer

    async def verify(self, work: Work) -> Verdict:
        """The paper answers questions only."""
        raise cannot_verify(METHOD, work.question)

    async def _entities(self, work: Work) -> list[Key]:
        """§3.1: entities of the question, by the language model and word for word."""
        with work.stage("entities") as stage:
            names: list[str] = []
            if work.tools.llm is not None:
                asked = prompt(
                    "mindmap_entities", language_of(work.question), question=work.question
                )
                reply = await work.complete(Ask(asked, NAMES_TOKENS, schema=NAMES))
                names = names_of(reply.text)
            keys, _ = await find_keys(work, "", names)
            stage.say(names=names, keys=[key.shown() for key in keys])
            return keys

    async def _paths(self, work: Work, keys: Sequence[Key]) -> list[Path]:
        """§3.1, path-based: from each entity to the next one that it reaches."""
        if len(keys) < 2:
            return []
        options = self._options
        with work.stage("paths") as stage:
            found = await work.shortest_paths(
                paired(work, [(key.mention, key.ids) for key in keys]),
                max_hops=options.max_hops,
                per_pair=options.per_pair,
            )
            of = {id_: place for place, key in enumerate(keys) for id_ in key.ids}
            nearest: dict[int, int] = {}
            for row in found:
                source, target = sorted((of[row.source.id], of[row.target.id]))
                if source != target:
                    nearest[source] = min(nearest.get(source, target), target)
            paths = [
                row.path for row in found if nearest.get(of[row.source.id]) == of[row.target.id]
            ]
            stage.say(paths=len(paths))
            return paths

    async def _neighbors(
        self, work: Work, keys: Sequence[Key]
    ) -> tuple[list[Path], set[tuple[Step, ...]]]:
        """§3.1, neighbour-based: what is around the entities and around what is like the question.

        Of all these facts those most like the question are kept; also the steps of the others.
        """
        options = self._options
        with work.stage("neighbours") as stage:
            entities = {entity.id: entity for key in keys for entity in key.entities}
            found = await work.neighbors(list(entities), per_relation=options.per_relation)
            near = [_path(entities, row) for row in found]
            order = await _by_likeness(work, near)
            best = {near[i].entities[-1].id: near[i].entities[-1] for i in order}
            onward = {id_: e for id_, e in best.items() if id_ not in entities}
            expanded = dict(list(onward.items())[: options.expanded])
            if expanded:
                further = await work.neighbors(list(expanded), per_relation=options.per_relation)
                near += [_path(expanded, row) for row in further]
                order = await _by_likeness(work, near)
            kept = [near[i] for i in order[: options.kept]]
            cut = {near[i].steps for i in order[options.kept :]}
            cut |= {path.steps for path in near} if found.truncated else set()
            stage.say(of=len(near), kept=len(kept), expanded=list(expanded))
            return kept, cut

    async def _in_words(self, work: Work, paths: Sequence[Path], neighbors: Sequence[Path]) -> str:
        """§3.2: what the language model makes of the two kinds of evidence."""
        if work.tools.llm is None:
            return ""
        language = language_of(work.question)
        told: list[str] = []
        with work.stage("aggregate") as stage:
            for evidence in (paths, neighbors):
                lines = [one_line(facts(path, work.graph.relations)) for path in evidence]
                if not lines:
                    continue

                def written(some: Sequence[str]) -> str:
                    return prompt(
                        "mindmap_words", language, facts=numbered(some), question=work.question
                    )

                room = work.fit(lines, written, _WORDS_TOKENS)
                reply = await work.complete(Ask(written(lines[:room]), _WORDS_TOKENS))
                told.append(one_line(reply.text, 2000))
            stage.say(words=told)
        return "\n".join(told)


def _wording(work: Work, words: str) -> Wording:
    """§3.3: the answer and how the evidence leads to it."""
    language = language_of(work.question)
    return Wording(
        lambda lines: prompt(
            "mindmap_answer", language, facts=lines, words=words, question=work.question
        ),
        reasons=True,
    )


def _path(entities: dict[str, Entity], row: Neighbor) -> Path:
    return Path((entities[row.source], row.entity), (row.step,))


async def _by_likeness(work: Work, paths: Sequence[Path]) -> list[int]:
    """The places of the paths, the facts most like the question first."""
    texts = [one_line(facts(path, work.graph.relations)) for path in paths]
    scores = await work.rerank(work.question, texts)
    return sorted(range(len(paths)), key=lambda i: (-scores[i], i))
