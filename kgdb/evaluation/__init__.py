"""Evaluation: question sets, strict measures, and a runner that can be resumed."""

from kgdb.evaluation.coverage import covered, covered_claims, covered_questions
from kgdb.evaluation.datasets import (
    HOPS,
    SPLITS,
    read_factkg,
    read_file,
    read_metaqa,
    read_webqsp,
)
from kgdb.evaluation.metaqa_types import metaqa_chain
from kgdb.evaluation.questions import Claim, Question
from kgdb.evaluation.rows import SHOWN, AnswerRow, ClaimRow
from kgdb.evaluation.runner import (
    BATCH,
    MAX_ERRORS,
    Asked,
    Asking,
    evaluate,
    evaluate_claims,
    measure,
)
from kgdb.evaluation.summary import AnswerSummary, ClaimSummary

__all__ = [
    "BATCH",
    "HOPS",
    "MAX_ERRORS",
    "SHOWN",
    "SPLITS",
    "AnswerRow",
    "AnswerSummary",
    "Asked",
    "Asking",
    "Claim",
    "ClaimRow",
    "ClaimSummary",
    "Question",
    "covered",
    "covered_claims",
    "covered_questions",
    "evaluate",
    "evaluate_claims",
    "measure",
    "metaqa_chain",
    "read_factkg",
    "read_file",
    "read_metaqa",
    "read_webqsp",
]
