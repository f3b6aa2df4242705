"""Reading answers out of evidence: the last step of every method that retrieves first.

The language model sees the facts in words and may answer only with entities that they mention, so
that every answer has its proof. Without a language model, the reranker chooses the path that goes
best with the question, and whatever the same relations lead to from the same entity answers it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kgdb.graph.linking import normalize
from kgdb.language import Ask, LanguageModel, facts, fit
from kgdb.language.prompts import language_of, prompt
from kgdb.methods.work import Work
from kgdb.model import Answer, AnsweredEntity, Entity, Path

_LISTED = 150
"""Candidates that a schema lists; a grammar of more is slow to make, and a reply is then free."""

_REPLY_TOKENS = 200

Proofs = Mapping[Entity, Sequence[Path]]


async def read_answers(
    work: Work,
    method: str,
    evidence: Sequence[Path],
    asked: Collection[str],
    *,
    paths: int = 3,
    allow_unsupported: bool = False,
    told: Sequence[str] | None = None,
) -> Answer:
    """The answers that the evidence gives to ``work.question``; to be called inside a stage.

    ``evidence`` is best first; the entities with ids in ``asked`` are those of the question and do
    not answer it. Each answer carries at most ``paths`` of the paths that lead to it. What the
    model says beyond the evidence is kept, as ``unsupported``, only with ``allow_unsupported``.
    ``told``: the evidence in the words in which the model reads it, most valuable first; without,
    the facts of each path.
    """
    blank = Answer(work.question, work.graph.name, method, retrieved=tuple(evidence))
    proofs = _proofs(evidence, asked)
    if not proofs:
        return replace(blank, reason="the graph holds no evidence about what the question names.")
    if work.tools.llm is None:
        return _answered(blank, await _by_reranker(work, evidence, proofs), proofs, paths)
    lines = told or [facts(path, work.graph.relations) for path in evidence]
    names = await _by_model(work, work.tools.llm, lines, proofs)
    by_name = {normalize(entity.name): entity for entity in reversed(list(proofs))}
    found = [by_name[key] for name in names if (key := normalize(name)) in by_name]
    beyond = tuple(name for name in names if normalize(name) not in by_name)
    answer = _answered(blank, list(dict.fromkeys(found)), proofs, paths)
    if allow_unsupported:
        answer = replace(answer, unsupported=beyond)
    if not found:
        said = f"answered {', '.join(beyond)!r}" if beyond else "found no answer"
        return replace(answer, reason=f"the language model {said}, which no evidence proves.")
    return answer


def _proofs(evidence: Sequence[Path], asked: Collection[str]) -> Proofs:
    """What may answer, in the order of the evidence, with the paths that lead to it.

    An end of a path before what is inside it: the path was followed for its end.
    """
    found: dict[Entity, list[Path]] = {}
    for path in evidence:
        ends = dict.fromkeys([path.entities[-1], path.entities[0], *path.entities])
        for entity in ends:
            if entity.id not in asked:
                found.setdefault(entity, []).append(path)
    return found


async def _by_reranker(work: Work, evidence: Sequence[Path], proofs: Proofs) -> list[Entity]:
    """The ends of all paths that have the start and the relations of the best path."""
    texts = [facts(path, work.graph.relations) for path in evidence]
    scores = await work.rerank(work.question, texts)
    best = evidence[max(range(len(evidence)), key=lambda i: (scores[i], -i))]
    like = [
        path
        for path in evidence
        if path.steps == best.steps and path.entities[0] == best.entities[0]
    ]
    return [entity for entity in dict.fromkeys(p.entities[-1] for p in like) if entity in proofs]


async def _by_model(
    work: Work, llm: LanguageModel, lines: Sequence[str], proofs: Proofs
) -> list[str]:
    """The names that the language model answers with, each once."""
    language = language_of(work.question)

    def written(kept: Sequence[str]) -> str:
        numbered = "\n".join(f"{n}. {line}" for n, line in enumerate(kept, 1))
        return prompt("answer", language, facts=numbered, question=work.question)

    kept = fit(llm, lines, written, _REPLY_TOKENS)
    if kept < len(lines):
        work.note(
            f"{len(lines) - kept} of {len(lines)} pieces of evidence were left out: the context "
            f"of {llm.name} holds no more."
        )
    reply = await work.complete(
        Ask(written(lines[:kept]), max_tokens=_REPLY_TOKENS, schema=_schema(proofs))
    )
    return _names(reply.text)


def _schema(proofs: Proofs) -> dict[str, Any]:
    name: dict[str, Any] = {"type": "string"}
    if len(proofs) <= _LISTED:
        name["enum"] = list(dict.fromkeys(entity.name for entity in proofs))
    return {
        "type": "object",
        "properties": {"answers": {"type": "array", "items": name, "maxItems": 20}},
        "required": ["answers"],
        "additionalProperties": False,
    }


def _names(reply: str) -> list[str]:
    """The answers of a reply; one that was cut off gives none, for it cannot be trusted."""
    try:
        names = json.loads(reply)["answers"]
    except (ValueError, TypeError, KeyError):
        return []
    return list(dict.fromkeys(name for name in names if isinstance(name, str) and name.strip()))


def _answered(blank: Answer, entities: Sequence[Entity], proofs: Proofs, paths: int) -> Answer:
    return replace(
        blank,
        entities=tuple(
            AnsweredEntity(entity, tuple(proofs[entity][:paths]), len(proofs[entity]))
            for entity in entities
        ),
    )
