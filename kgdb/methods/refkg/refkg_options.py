"""The options of RefKG, and which of them have no effect on what is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from kgdb.methods.answering.reconstruction import Form
from kgdb.methods.option_declarations import (
    AllowUnsupported,
    ClosedWorld,
    Group,
    MethodOptions,
    ProofPaths,
    Range,
)

Asked = Literal["questions", "claims"]

_DECOUPLING = Group("Decoupling")
_EXPLORATION = Group("Exploration")
_REFINEMENT = Group("Refinement")
_INFERENCE = Group("Inference")
_CLAIMS = Group("Claims")
_BUDGET = Group("Budget")


@dataclass(frozen=True, slots=True)
class Options(MethodOptions):
    """The options of the method; the paper's Table 5 and Figure 5 vary ``width``, ``refine`` and
    ``evidence_form``.

    A chain's score is its similarity to the whole question (the encoder's cosine), plus
    ``llm_weight`` × the language model's preference and ``expert_weight`` × the expert's score.

    If the language model judges a claim, ``width`` is the number of relations that are evidence:
    the most similar ones around each mention, or with ``navigate="llm"`` those that the model
    chooses around all of them. :func:`without_effect` names the options that do nothing.
    """

    mentions: Annotated[
        int, Range(1, 10), "mentions of the question that are explored", _DECOUPLING
    ] = 3
    decouple: Annotated[
        Literal["llm", "none"],
        "whether the language model splits the question into sub-queries, as in the paper: their "
        "number is that of the hops at which it chooses, and refined evidence supports one of them",
        _DECOUPLING,
    ] = "none"
    max_hops: Annotated[int, Range(1, 5), "hops of the longest relation chain", _EXPLORATION] = 3
    width: Annotated[
        int, Range(1, 50), "relations that are kept at each hop, the paper's k", _EXPLORATION
    ] = 5
    navigate: Annotated[
        Literal["encoder", "llm"],
        "who chooses relations at a hop: the encoder, or the language model, as in the paper",
        _EXPLORATION,
    ] = "encoder"
    llm_weight: Annotated[
        float,
        Range(0, 10),
        "weight of the language model's preference in a chain's score",
        _EXPLORATION,
    ] = 0.03
    min_similarity: Annotated[
        float,
        Range(-1, 1),
        "similarity to the question that a chain needs to be followed",
        _EXPLORATION,
    ] = 0.3
    chains: Annotated[
        int, Range(1, 100), "chains that are followed; their facts are the evidence", _EXPLORATION
    ] = 10
    expert: Annotated[
        str | None,
        "who judges evidence: encoder, or the folder of kgdb lab train expert; none: KGDB_EXPERT",
        _REFINEMENT,
    ] = None
    refine: Annotated[
        bool, "drop evidence to which the expert gives less than alpha", _REFINEMENT
    ] = True
    alpha: Annotated[
        float | None,
        Range(0, 1),
        "the expert's score that evidence needs, the paper's α; none: the expert's own threshold",
        _REFINEMENT,
    ] = None
    judged_paths: Annotated[
        int,
        Range(1, 1000),
        "paths of each chain that the expert scores; the best stands for the chain",
        _REFINEMENT,
    ] = 3
    expert_weight: Annotated[
        float | None,
        Range(0, 10),
        "weight of the expert's score in a chain's score; none: the expert's own, 0 for the "
        "encoder",
        _REFINEMENT,
    ] = None
    inference: Annotated[
        Literal["chain", "read"],
        "how answers are found: all ends of the best chain, or read out of the evidence by the "
        "language model, as in the paper",
        _INFERENCE,
    ] = "chain"
    evidence_form: Annotated[
        Form,
        "how the language model reads the evidence: as text that it reconstructs first, as a "
        "sentence for each fact, or as bare triples",
        _INFERENCE,
    ] = "text"
    tuned_inference: Annotated[
        bool,
        "infer by the language model as it is named; false: by its base, without the adapter that "
        "the other stages have, as in the paper's ablation of joint inference tuning",
        _INFERENCE,
    ] = True
    answers: Annotated[int, Range(1, 100_000), "answers that are kept at most", _INFERENCE] = 1000
    paths: Annotated[ProofPaths, _INFERENCE] = 3
    other_ends: Annotated[
        int,
        Range(0, 100_000),
        "ends of each chain but the best that are kept as evidence",
        _INFERENCE,
    ] = 100
    allow_unsupported: Annotated[AllowUnsupported, _INFERENCE] = False
    claim_mentions: Annotated[
        int, Range(1, 50), "mentions of the claim that are checked", _CLAIMS
    ] = 8
    judge: Annotated[
        Literal["llm", "rule"],
        "who judges a claim: rules that check the facts, or the language model, which reads them",
        _CLAIMS,
    ] = "rule"
    verifier: Annotated[
        str | None,
        "who decides by the rules' checks: rules, or the folder of kgdb lab train verifier; none: "
        "KGDB_VERIFIER",
        _CLAIMS,
    ] = None
    closed_world: Annotated[ClosedWorld, _CLAIMS] = False
    calls: Annotated[
        int,
        Range(1, 100),
        "prompts for one question at most; those of inference are reserved",
        _BUDGET,
    ] = 5


_ELSEWHERE: Mapping[Asked, Sequence[str]] = {
    "questions": ("claim_mentions", "judge", "verifier", "closed_world"),
    "claims": (
        *("mentions", "llm_weight", "min_similarity"),
        *("chains", "judged_paths", "expert_weight", "inference", "answers", "paths"),
        *("other_ends", "allow_unsupported"),
    ),
}
"""Options that only the other of the two depends on."""

_READ: Mapping[Asked, Sequence[str]] = {
    "questions": ("inference", "evidence_form", "tuned_inference"),
    "claims": (
        *("decouple", "navigate", "refine", "expert", "alpha", "evidence_form"),
        *("tuned_inference", "judge", "calls"),
    ),
}
"""Options that matter only where the language model reads the evidence."""

_REFINED: Mapping[Asked, Sequence[str]] = {
    "questions": ("expert", "alpha", "judged_paths", "expert_weight"),
    "claims": ("decouple", "expert", "alpha"),
}
"""Options that matter only where the evidence is refined."""


def without_effect(options: Options, asked: Asked, *, reads: bool) -> list[str]:
    """Notes on the options that were set and cannot have an effect on what was asked.

    ``reads``: whether the language model reads the evidence.
    """
    default = Options()
    idle: dict[str, str] = {}
    for applies, names, where in (
        (True, _ELSEWHERE[asked], f"on {asked}"),
        (not reads, _READ[asked], "where no language model reads the evidence"),
        (not options.refine, _REFINED[asked], "where nothing is refined"),
    ):
        for name in names if applies else ():
            if getattr(options, name) != getattr(default, name):
                idle.setdefault(name, where)
    return [
        f"Without effect {where}: {', '.join(name for name in idle if idle[name] == where)}."
        for where in dict.fromkeys(idle.values())
    ]
