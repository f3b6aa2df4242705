"""GoT-R: graph-of-thought guided reasoning (Huang et al., 2025).

Section 3: *select* atomic relations for the atomic questions of a question (3.2); have the language
model draw a *graph of thought* of them in Cypher, which the database runs in a sandbox (3.3);
*retrieve* by its relations, along its paths (equations 5 to 7) and as a whole pattern, and without
them, by shortest paths and neighbours (8 and 9); *answer* from all of it (10 and 11).

What differs: the pattern search (``kgdb.got.match``) finds joins, which paths alone do not; an
edge may be followed against its direction; names are matched by the full-text index; and the chains
of relations that fit the question best are followed beside the thought, or in its place where there
is no language model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from kgdb.errors import ModelError, ModelUnavailable, PluginMissing
from kgdb.graph import Link, Thought, gather_trips
from kgdb.graph.linking import SAME_NAME
from kgdb.language import Ask, Completion
from kgdb.language.prompts import language_of, prompt
from kgdb.methods.atomic import (
    Selected,
    decompose,
    ground_types,
    select,
    texts_of,
)
from kgdb.methods.chains import Reading, read_chains
from kgdb.methods.gotr_options import Options
from kgdb.methods.hybrid import TRIPS, Drawing, Thinking, retrieve
from kgdb.methods.json_replies import list_schema, texts_in
from kgdb.methods.keys import mentioned
from kgdb.methods.lines import one_line
from kgdb.methods.reading import Choosing, chooses, read_answers
from kgdb.methods.refusals import cannot_verify, unnamed
from kgdb.methods.thinking import Plan, chain_thought, shown, walks
from kgdb.methods.thought_grammar import thought_grammar
from kgdb.methods.weighing import Weighing
from kgdb.methods.work import Work
from kgdb.values import Answer, Entity, Step, Verdict
from kgdb.wording import short

METHOD = "gotr"

_LONGEST = 10_000
"""Characters of a question that are shown."""
_SCRIPT_TOKENS = 400
_SCRIPT_SHOWN = 1_500
"""Characters of a refused script that the model is shown again."""
_MOST_NODES = 40
_CALLS = 4
"""Calls of the language model for one question: three, and the repair of its thought."""
_MOST_WALKS = 24
_MOST_TOPICS = 3
"""Mentions of the question from which chains are tried."""
_ANSWER_TOKENS = 200
_ANSWERS = list_schema("answers", 20)
_LIKE_A_NAME = 0.8
"""How like an entity's name a node's name has to be (0 to 1)."""


class GoTR:
    """Answers questions over one graph; see the module for what it does."""

    name = METHOD

    def __init__(self, options: Options | None = None) -> None:
        self._options = options or Options()
        self._weighing = Weighing()

    async def answer(self, work: Work) -> Answer:
        """The entities that answer the question, with the paths that prove each."""
        with work.stage("decompose") as stage:
            links = await work.mentions(work.question)
            # Relations are selected for the atomic questions, which serve nothing else.
            selects = self._options.atomic_relations
            questions = await decompose(work, links, self._options.shots) if selects else []
            stage.say(links=[_link_shown(found) for found in links], questions=questions)
        with work.stage("relations") as stage:
            selected = await select(work, questions, self._options.k_q) if questions else []
            stage.say(
                relations=[
                    {"question": question, "relations": [s.relation for s in of_question]}
                    for question, of_question in zip(questions, selected, strict=False)
                ]
            )
        thinking = await self._think(work, links, selected)
        if not self._options.hybrid:
            return await self._answer_by_thought(work, thinking)
        evidence = await retrieve(work, links, thinking, self._options)
        with work.stage("answer") as stage:
            choosing = None
            if chooses(work, self._options.inference):
                mentions = [found.mention for found in links]
                choosing = Choosing(self._weighing, mentions, _CALLS, self._options.llm_weight)
            answer = await read_answers(
                work,
                METHOD,
                evidence.paths,
                [found.ids for found in links],
                paths=self._options.paths,
                allow_unsupported=self._options.allow_unsupported,
                scores=evidence.scores,
                shown=self._options.shown,
                choosing=choosing,
                min_similarity=self._options.min_similarity,
                left_out=evidence.left_out,
            )
            stage.say(answers=[answered.entity.name for answered in answer.entities[:20]])
        if not links and not evidence.paths:
            return replace(answer, reason=unnamed(work))
        return answer if choosing else replace(answer, reading=_reading(evidence.plan))

    async def verify(self, work: Work) -> Verdict:
        """The paper has no way to."""
        raise cannot_verify(METHOD, work.question)

    async def _think(
        self, work: Work, links: Sequence[Link], selected: Sequence[Sequence[Selected]]
    ) -> Thinking | None:
        """The graph of thought: the language model's (equation 4), else one of the best chain.

        Beside the model's the best chains are followed too: it may have drawn something else than
        was asked.
        """
        with work.stage("thought") as stage:
            drawing, thinking = Drawing(), None
            if work.tools.llm is not None:
                thinking = await self._by_model(work, links, selected, drawing)
                stage.say(**drawing.shown())
                if thinking is None:
                    work.note(
                        "The language model drew no usable graph of thought: the relation chains "
                        "that fit the question best were followed instead."
                    )
            options = self._options
            along = options.hybrid and options.relation_aware
            if thinking is None or (options.beside and along):
                thinking = await self._by_encoder(work, links, drawing, thinking)
            if thinking is not None:
                stage.say(**thinking.shown(), thought=shown(thinking.plan))
            return thinking

    async def _by_model(
        self,
        work: Work,
        links: Sequence[Link],
        selected: Sequence[Sequence[Selected]],
        drawing: Drawing,
    ) -> Thinking | None:
        """The thought that the language model writes in Cypher, mended once if need be."""
        asked, grammar = self._thought_asked(work, links, selected)
        for attempt in range(2 if self._options.repair else 1):
            reply = await _written(work, asked, grammar)
            drawing.scripts.append(reply.text)
            try:
                done = await work.ground_thought(
                    reply.text,
                    link={
                        "limit": self._options.entities,
                        "ties": SAME_NAME,
                        "min_score": _LIKE_A_NAME,
                    },
                    max_nodes=_MOST_NODES,
                )
            except PluginMissing:
                work.note("There is no kgdb plugin to run a graph of thought.")
                return None
            drawing.executed = done.run.executed
            error, thought = done.run.error, done.run.thought
            if thought and thought.edges:
                plan = await self._plan(work, thought, done.entities, links)
                ways = walks(thought, plan.anchors, self._options.max_hops, _MOST_WALKS)
                if ways:
                    drawn = tuple((plan, way) for way in ways)
                    return Thinking(plan, by_model=True, drawing=drawing, drawn=drawn)
                drawing.errors.append(_nowhere(plan))
            else:
                drawing.errors.append(str(error or "the graph has no relationship."))
            if attempt == 0:
                asked = prompt(
                    "gotr_repair",
                    language_of(work.question),
                    script=reply.text.strip()[:_SCRIPT_SHOWN],
                    error=one_line(drawing.errors[-1]),
                    question=one_line(work.question, _LONGEST),
                )
        return None

    def _thought_asked(
        self, work: Work, links: Sequence[Link], selected: Sequence[Sequence[Selected]]
    ) -> tuple[str, str | None]:
        """The prompt with as many of the atomic relations as the model can read.

        Also the grammar of a thought of these, for a model that can be held to it.
        """
        language = language_of(work.question)
        best: dict[str, float] = {}
        for found in (found for of_question in selected for found in of_question):
            best[found.relation] = max(found.similarity, best.get(found.relation, -1.0))
        relations = sorted(best, key=lambda relation: (-best[relation], relation))
        lines = texts_of(work, relations)
        examples = [
            prompt("gotr_example", language, question=example.question, reply=example.reply)
            for example in work.examples("got")[: self._options.shots]
        ]

        def asked(examples: Sequence[str], lines: Sequence[str]) -> str:
            return prompt(
                "gotr_thought",
                language,
                relations="\n".join(lines) or "-",
                examples="\n\n".join(examples) or "-",
                question=one_line(work.question, _LONGEST),
            )

        def beside_one(kept: Sequence[str]) -> str:
            return asked(kept, lines[:1])

        shots = work.fit(examples, beside_one, _SCRIPT_TOKENS, "examples", least=0)

        def written(kept: Sequence[str]) -> str:
            return asked(examples[:shots], kept)

        kept = work.fit(lines, written, _SCRIPT_TOKENS, "relations")
        grammar, llm = None, work.tools.llm
        if self._options.grammar and llm and llm.keeps_grammars:
            mentions = dict.fromkeys(one_line(link.mention, _LONGEST) for link in links)
            grammar = thought_grammar(relations[:kept], list(mentions))
        return written(lines[:kept]), grammar

    async def _plan(
        self,
        work: Work,
        thought: Thought,
        found: Mapping[int, tuple[Entity, ...]],
        links: Sequence[Link],
    ) -> Plan:
        """A thought grounded: its nodes in entities, its types in relations (5 and 6)."""
        named = {entity for link in links for entity in link.entities}
        anchors = [place for place, candidates in found.items() if named & set(candidates)]
        relations = await ground_types(
            work, [edge.type for edge in thought.edges], self._options.relations
        )
        return Plan(thought, found, tuple(sorted(anchors or found)), relations)

    async def _by_encoder(
        self, work: Work, links: Sequence[Link], drawing: Drawing, thinking: Thinking | None
    ) -> Thinking | None:
        """The best chains of relations, beside a thought or, the first of them, as one."""
        options = self._options
        if not options.atomic_relations:
            return thinking
        keys = [mentioned(found) for found in links[:_MOST_TOPICS]]
        if not keys:
            return thinking
        calls = max(0, TRIPS - work.round_trips - gather_trips(work.graph))
        found, _ = await read_chains(work, keys, max_hops=options.chain_hops, calls=calls)
        # Where the database was not asked what there is, much of it leads nowhere.
        found = found[: options.chains * (1 if calls else 4)]
        ways = [
            (plan, way)
            for plan in map(_chain_plan, found)
            for way in walks(plan.thought, (0,), options.chain_hops, 1)
        ]
        if not ways:
            return thinking
        likeness = tuple(reading.score for reading in found)
        thinking = thinking or Thinking(ways[0][0], by_model=False, drawing=drawing)
        return replace(thinking, chains=tuple(ways), likeness=likeness)

    async def _answer_by_thought(self, work: Work, thinking: Thinking | None) -> Answer:
        """Without retrieval: what the language model makes of its own thought proves nothing."""
        blank = Answer(work.question, work.graph.name, METHOD)
        if work.tools.llm is None:
            return replace(blank, reason="without retrieval only a language model could answer.")
        with work.stage("answer") as stage:
            triples = thinking.plan.thought.triples if thinking else ()
            reply = await work.complete(
                Ask(
                    prompt(
                        "answer",
                        language_of(work.question),
                        facts="\n".join(one_line(", ".join(triple)) for triple in triples) or "-",
                        question=work.question,
                    ),
                    max_tokens=_ANSWER_TOKENS,
                    schema=_ANSWERS,
                )
            )
            names = texts_in(reply.text, "answers")
            stage.say(answers=names)
        said = f"answered {short(', '.join(names))}" if names else "found no answer"
        return replace(
            blank,
            unsupported=tuple(names) if self._options.allow_unsupported else (),
            reading=_reading(thinking.plan if thinking else None),
            reason=f"the language model {said}, and nothing was retrieved that could prove it.",
        )


async def _written(work: Work, asked: str, grammar: str | None) -> Completion:
    """The model's script, held to the grammar unless the model turns out not to keep it."""
    if grammar:
        try:
            return await work.complete(Ask(asked, max_tokens=_SCRIPT_TOKENS, grammar=grammar))
        except ModelUnavailable:
            raise  # Without a grammar it would only fail later.
        except ModelError as error:
            work.note(f"The graph of thought was drawn without a grammar: {error.message}")
    return await work.complete(Ask(asked, max_tokens=_SCRIPT_TOKENS, stop=("\n```\n",)))


def _nowhere(plan: Plan) -> str:
    """Why a search for a thought would begin nowhere."""
    if not plan.anchors:
        return "no node has a name that the knowledge graph has."
    names = ", ".join(short(plan.thought.nodes[place].name) for place in plan.anchors)
    return f"no relationship leads from {names}."


def _chain_plan(found: Reading) -> Plan:
    """The plan that a relation chain from a mention is."""
    thought = chain_thought(found.key.mention, found.chain)
    likeness = max(found.score, 0.0)
    relations = {step.relation: {Step(step.relation): likeness} for step in found.chain}
    return Plan(thought, {0: found.key.entities}, (0,), relations)


def _reading(plan: Plan | None) -> str | None:
    """The thought as one line."""
    if plan is None:
        return None
    triples = plan.thought.triples
    return one_line("; ".join(f"{head} –{type_}→ {tail}" for head, type_, tail in triples))


def _link_shown(link: Link) -> dict[str, object]:
    return {"mention": link.mention, "entities": [entity.id for entity in link.entities]}
