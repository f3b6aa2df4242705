"""Evaluation: question sets, strict measures, and a runner that can be resumed."""

from kgdb.evaluation.datasets import HOPS, SPLITS, Question, read_metaqa
from kgdb.evaluation.runner import SHOWN, Row, Summary, evaluate

__all__ = ["HOPS", "SHOWN", "SPLITS", "Question", "Row", "Summary", "evaluate", "read_metaqa"]
