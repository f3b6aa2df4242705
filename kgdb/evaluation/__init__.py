"""Evaluation: question sets, strict measures, and a runner that can be resumed."""

from kgdb.evaluation.coverage import covered, covered_claims, covered_questions
from kgdb.evaluation.datasets.cwq import read_cwq
from kgdb.evaluation.datasets.factkg import read_factkg
from kgdb.evaluation.datasets.known_sets import (
    DATASETS,
    SPLITS,
    Asked,
    Dataset,
    Selection,
    drawn,
    read_dataset,
)
from kgdb.evaluation.datasets.metaqa import HOPS, read_metaqa
from kgdb.evaluation.datasets.own import read_file
from kgdb.evaluation.datasets.simplequestions import read_simplequestions
from kgdb.evaluation.datasets.webqsp import read_webqsp
from kgdb.evaluation.datasets.webquestions import read_webquestions
from kgdb.evaluation.questions import Claim, Question, entities_named
from kgdb.evaluation.result_rows import SHOWN, AnswerRow, ClaimRow
from kgdb.evaluation.row_file import read_rows
from kgdb.evaluation.row_means import AnswerSummary, ClaimSummary, summarize_answers
from kgdb.evaluation.runner import (
    ANSWERS,
    BATCH,
    MAX_ERRORS,
    Asking,
    Measures,
    answer_rows,
    evaluate,
    evaluate_claims,
    measure,
)

__all__ = [
    "ANSWERS",
    "BATCH",
    "DATASETS",
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
    "Dataset",
    "Measures",
    "Question",
    "Selection",
    "answer_rows",
    "covered",
    "covered_claims",
    "covered_questions",
    "drawn",
    "entities_named",
    "evaluate",
    "evaluate_claims",
    "measure",
    "read_cwq",
    "read_dataset",
    "read_factkg",
    "read_file",
    "read_metaqa",
    "read_rows",
    "read_simplequestions",
    "read_webqsp",
    "read_webquestions",
    "summarize_answers",
]
