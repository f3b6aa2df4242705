"""The graph of thought (GoT-R, section 3.3): the language model writes it in Cypher.

The prompt shows the atomic relations and examples; the database runs the script in its sandbox
(``kgdb.got.run``), and a refused script is repaired once. The thought is then grounded: its nodes
in entities, its types in relations (equations 5 and 6). The encoder's best chains are thoughts too,
of one relation path each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from kgdb.errors import ModelError, ModelUnavailable, PluginMissing
from kgdb.graph import Link, Thought
from kgdb.graph.linking.mention_linking import SAME_NAME
from kgdb.language import Completion, CompletionRequest
from kgdb.language.text.lines import one_line
from kgdb.language.text.prompts import language_of, prompt
from kgdb.methods.chains.candidate_chains import CandidateChain, Subject
from kgdb.methods.chains.candidate_relations import GuessedCandidates
from kgdb.methods.chains.chain_search import ChainSearch
from kgdb.methods.chains.key_entities import key_entity_of
from kgdb.methods.context import QuestionContext
from kgdb.methods.gotr.atomic import Selected, ground_relations, relation_texts
from kgdb.methods.gotr.gotr_options import Options
from kgdb.methods.gotr.grammar import thought_grammar
from kgdb.methods.gotr.thought_plan import PlannedPath, ThoughtAttempts, ThoughtPlan
from kgdb.methods.gotr.thoughts import GroundedThought, chain_thought, relation_paths
from kgdb.values import Entity, Step
from kgdb.wording import short

_MAX_QUESTION = 10_000
"""Characters of a question in a prompt."""

_SCRIPT_TOKENS = 400
_MAX_SCRIPT = 1_500
"""Characters of a refused script in the prompt that asks for its repair."""

_MAX_NODES = 40
_MAX_RELATION_PATHS = 24
_MAX_MENTIONS = 3
"""Mentions of the question from which the search for chains begins."""

_MIN_NAME_SIMILARITY = 0.8
"""The minimum similarity of a node's name to an entity's name (0 to 1)."""


async def generate_thought(
    ctx: QuestionContext,
    links: Sequence[Link],
    selected: Sequence[Sequence[Selected]],
    attempts: ThoughtAttempts,
    options: Options,
) -> ThoughtPlan | None:
    """The thought that the language model writes, repaired once if it is refused (equation 4)."""
    text, grammar = _thought_prompt(ctx, links, selected, options)
    for attempt in range(2 if options.repair else 1):
        reply = await _complete(ctx, text, grammar)
        attempts.scripts.append(reply.text)
        try:
            outcome = await ctx.graph.ground_thought(
                reply.text,
                link={
                    "limit": options.entities_per_node,
                    "ties": SAME_NAME,
                    "min_score": _MIN_NAME_SIMILARITY,
                },
                max_nodes=_MAX_NODES,
            )
        except PluginMissing:
            ctx.note("Without the kgdb plugin the database cannot run a graph of thought.")
            return None
        attempts.executed = outcome.run.executed
        error, thought = outcome.run.error, outcome.run.thought
        if thought and thought.edges:
            grounded = await _ground(
                ctx, thought, outcome.entities, links, options.relations_per_edge
            )
            planned_paths = relation_paths(
                thought, grounded.anchors, options.max_hops, _MAX_RELATION_PATHS
            )
            if planned_paths:
                drawn = tuple((grounded, relation_path) for relation_path in planned_paths)
                return ThoughtPlan(grounded, by_model=True, attempts=attempts, drawn=drawn)
            attempts.errors.append(_reason_for_no_start(grounded))
        else:
            attempts.errors.append(str(error or "the graph has no relationship."))
        if attempt == 0:
            text = prompt(
                "gotr_repair",
                language_of(ctx.question),
                script=reply.text.strip()[:_MAX_SCRIPT],
                error=one_line(attempts.errors[-1]),
                question=one_line(ctx.question, _MAX_QUESTION),
            )
    return None


def _thought_prompt(
    ctx: QuestionContext,
    links: Sequence[Link],
    selected: Sequence[Sequence[Selected]],
    options: Options,
) -> tuple[str, str | None]:
    """The prompt with as many atomic relations as fit, and the grammar of thoughts with these.

    There is no grammar if the model does not support one.
    """
    language = language_of(ctx.question)
    best: dict[str, float] = {}
    for atomic in (atomic for relations in selected for atomic in relations):
        best[atomic.relation] = max(atomic.similarity, best.get(atomic.relation, -1.0))
    relations = sorted(best, key=lambda relation: (-best[relation], relation))
    lines = relation_texts(ctx, relations)
    examples = [
        prompt("gotr_example", language, question=example.question, reply=example.reply)
        for example in ctx.examples("got")[: options.shots]
    ]

    def to_prompt(examples: Sequence[str], lines: Sequence[str]) -> str:
        return prompt(
            "gotr_thought",
            language,
            relations="\n".join(lines) or "-",
            examples="\n\n".join(examples) or "-",
            question=one_line(ctx.question, _MAX_QUESTION),
        )

    def with_one_relation(examples: Sequence[str]) -> str:
        return to_prompt(examples, lines[:1])

    shots = ctx.llm.fit(examples, with_one_relation, _SCRIPT_TOKENS, "examples", at_least=0)

    def with_relations(lines: Sequence[str]) -> str:
        return to_prompt(examples[:shots], lines)

    count = ctx.llm.fit(lines, with_relations, _SCRIPT_TOKENS, "relations")
    grammar = None
    if options.grammar and ctx.llm.supports_grammar:
        mentions = dict.fromkeys(one_line(link.mention, _MAX_QUESTION) for link in links)
        grammar = thought_grammar(relations[:count], list(mentions))
    return with_relations(lines[:count]), grammar


async def _complete(ctx: QuestionContext, text: str, grammar: str | None) -> Completion:
    """The model's script, constrained by the grammar unless the model rejects the grammar."""
    if grammar:
        try:
            return await ctx.llm.complete(
                CompletionRequest(text, max_tokens=_SCRIPT_TOKENS, grammar=grammar)
            )
        except ModelUnavailable:
            raise  # Without a grammar the request would fail too.
        except ModelError as error:
            ctx.note(f"The model drew the graph of thought without a grammar: {error.message}")
    return await ctx.llm.complete(
        CompletionRequest(text, max_tokens=_SCRIPT_TOKENS, stop=("\n```\n",))
    )


async def _ground(
    ctx: QuestionContext,
    thought: Thought,
    entities: Mapping[int, tuple[Entity, ...]],
    links: Sequence[Link],
    max_relations: int,
) -> GroundedThought:
    """A thought grounded: its nodes in entities, its types in relations (5 and 6)."""
    mentioned = {entity for link in links for entity in link.entities}
    anchors = [node for node, candidates in entities.items() if mentioned & set(candidates)]
    relations = await ground_relations(ctx, [edge.type for edge in thought.edges], max_relations)
    return GroundedThought(thought, entities, tuple(sorted(anchors or entities)), relations)


def _reason_for_no_start(grounded: GroundedThought) -> str:
    """Why a search for a thought has no start."""
    if not grounded.anchors:
        return "no node has a name that the knowledge graph has."
    names = ", ".join(short(grounded.thought.nodes[index].name) for index in grounded.anchors)
    return f"no relationship leads from {names}."


async def add_chains(
    ctx: QuestionContext,
    links: Sequence[Link],
    attempts: ThoughtAttempts,
    thought_plan: ThoughtPlan | None,
    options: Options,
) -> ThoughtPlan | None:
    """The plan with the best relation chains added; without a plan, that of the best chain."""
    if not options.atomic_relations:
        return thought_plan
    keys = [key_entity_of(link) for link in links[:_MAX_MENTIONS]]
    if not keys:
        return thought_plan
    to_spend = ctx.budget.round_trips_left(reserve=ctx.graph.search_round_trips)
    subjects = [Subject.of(ctx.question, key) for key in keys]
    search = ChainSearch(GuessedCandidates(ctx, to_spend))
    candidates = await search.run(ctx, subjects, options.chain_hops)
    # Many guessed chains lead nowhere.
    candidates = candidates[: options.chains * (1 if to_spend else 4)]
    planned_paths = [_planned(candidate) for candidate in candidates]
    if not planned_paths:
        return thought_plan
    scores = tuple(candidate.score for candidate in candidates)
    thought_plan = thought_plan or ThoughtPlan(
        planned_paths[0][0], by_model=False, attempts=attempts
    )
    return replace(thought_plan, chains=tuple(planned_paths), chain_scores=scores)


def _planned(candidate: CandidateChain) -> PlannedPath:
    """A chain from a mention as a relation path, with its grounded thought."""
    thought, relation_path = chain_thought(candidate.key.mention, candidate.steps)
    similarity = max(candidate.score, 0.0)
    relations = {step.relation: {Step(step.relation): similarity} for step in candidate.steps}
    return GroundedThought(thought, {0: candidate.key.entities}, (0,), relations), relation_path
