"""The knobs of RefKG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from kgdb.methods.answering.reconstruction import Form
from kgdb.methods.options import check_ranges

Asked = Literal["questions", "claims"]


@dataclass(frozen=True, slots=True)
class Options:
    """The knobs of the method; the paper's Table 5 and Figure 5 vary those marked with *.

    *Decoupling.* ``starts``: mentions of the question that are explored. ``decouple``: ``"llm"``,
    the language model writes sub-queries beside the cuts of the question, or ``"encoder"``, the
    cuts alone.

    *Exploration.* ``max_hops``: the longest relation chain. ``width``*: relations kept per hop, the
    paper's k (2 or 5). ``navigate``: who chooses at a hop, ``"encoder"`` or ``"llm"``, over as many
    hops as sub-queries were written, or over all where there are none. A chain's
    similarity to the question is ``parts_weight`` × that of its hops to the sub-queries plus the
    rest × that of the whole chain to the whole question (cosines, of the encoder). Its score adds
    ``llm_weight`` × the language model's preference for it and takes off ``hop_cost`` per hop.
    Chains less similar than ``min_similarity`` are no reading of the question at all. The best
    ``chains`` of the others are followed: their facts are the evidence.

    *Refinement.* ``refine``*: whether the expert drops what scores less than ``alpha`` (the paper's
    α; ``None``: what suits the expert). ``judged``: paths of each chain that it reads; the rest of
    the chain is taken to be like the best of these. ``expert_weight`` × its score is added to the
    chain's.

    *Inference.* ``inference``: ``"chain"``, all ends of the best chain answer, or ``"read"``, the
    language model reads the answers out of the evidence. ``evidence``*: how it reads them: ``text``
    that it has written itself (knowledge reconstruction), ``template`` (without reconstruction),
    ``triples`` (triple only). ``answers`` and ``paths``: how many answers, and paths per answer,
    are kept; ``beside``: how many ends of each other chain are kept as evidence.
    ``allow_unsupported`` keeps what the language model reads into the evidence that is not there;
    along chains it writes no answer.

    *Claims.* ``named``: things a claim names that are checked. ``judge``: ``"llm"``, the language
    model reads the evidence and chooses, or ``"rule"``, the checks of :mod:`kgdb.methods.verification.checks`
    decide. What is not read is not refined nor put in a form: with ``"rule"`` no claim depends on
    ``decouple``, ``navigate``, ``refine``, ``alpha``, ``evidence`` or ``calls``, and ``width``
    changes only what is shown beside the verdict. ``closed_world``: the graph is taken to be whole,
    what it does not say is false.

    With ``judge="llm"`` claims depend on all of these; ``width`` is the number of relations that
    are evidence, the most similar ones around each thing or, with ``navigate="llm"``, those that
    the language model chooses around all of them; ``decouple`` serves ``refine`` alone. The paths
    between things have ``max_hops``, at most 2. All other options above are for questions. One that
    is set and cannot have an effect is told in a note.

    ``calls``: prompts that the language model is given for one question at most. Inference comes
    first, and with it reconstruction: what there is no call left for is done without it. A hop is
    then the encoder's to choose.
    """

    starts: int = 3
    decouple: Literal["llm", "encoder"] = "encoder"
    max_hops: int = 3
    width: int = 5
    navigate: Literal["encoder", "llm"] = "encoder"
    parts_weight: float = 0.5
    llm_weight: float = 0.03
    hop_cost: float = 0.03
    min_similarity: float = 0.3
    chains: int = 10
    refine: bool = True
    alpha: float | None = None
    judged: int = 3
    expert_weight: float = 0.0
    inference: Literal["chain", "read"] = "chain"
    evidence: Form = "text"
    answers: int = 1000
    paths: int = 3
    beside: int = 100
    allow_unsupported: bool = False
    named: int = 8
    judge: Literal["llm", "rule"] = "rule"
    closed_world: bool = False
    calls: int = 5

    def __post_init__(self) -> None:
        check_ranges(
            self,
            ("starts", 1, 10),
            ("max_hops", 1, 5),
            ("width", 1, 50),
            ("parts_weight", 0, 1),
            ("llm_weight", 0, 10),
            ("hop_cost", 0, 10),
            ("min_similarity", -1, 1),
            ("expert_weight", 0, 10),
            ("chains", 1, 100),
            ("alpha", 0, 1),
            ("judged", 1, 1000),
            ("answers", 1, 100_000),
            ("paths", 1, 1000),
            ("beside", 0, 100_000),
            ("named", 1, 50),
            ("calls", 1, 100),
        )


_ELSEWHERE: Mapping[Asked, Sequence[str]] = {
    "questions": ("named", "judge", "closed_world"),
    "claims": (
        *("starts", "parts_weight", "llm_weight", "hop_cost", "min_similarity"),
        *("chains", "judged", "expert_weight", "inference", "answers", "paths", "beside"),
        "allow_unsupported",
    ),
}
"""Options that the others alone depend on."""

_READ: Mapping[Asked, Sequence[str]] = {
    "questions": ("inference", "evidence"),
    "claims": ("decouple", "navigate", "refine", "alpha", "evidence", "judge", "calls"),
}
"""Options that matter only where the language model reads the evidence."""

_REFINED: Mapping[Asked, Sequence[str]] = {
    "questions": ("alpha", "judged", "expert_weight"),
    "claims": ("decouple", "alpha"),
}
"""Options that matter only where the evidence is refined."""


def without_effect(options: Options, asked: Asked, *, reads: bool) -> list[str]:
    """Notes on the options that were set and cannot have an effect on what was asked.

    ``reads``: whether the language model reads the evidence.
    """
    default = Options()
    told: dict[str, str] = {}
    for applies, names, where in (
        (True, _ELSEWHERE[asked], f"on {asked}"),
        (not reads, _READ[asked], "where no language model reads the evidence"),
        (not options.refine, _REFINED[asked], "where nothing is refined"),
    ):
        for name in names if applies else ():
            if getattr(options, name) != getattr(default, name):
                told.setdefault(name, where)
    return [
        f"Without effect {where}: {', '.join(name for name in told if told[name] == where)}."
        for where in dict.fromkeys(told.values())
    ]
