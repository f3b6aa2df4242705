"""Answers as texts, ranked by a language model as a judge."""

from kgdb.lab.ranking.judging import Answered, Judge, RankRow, rank_answers
from kgdb.lab.ranking.summary import (
    MethodRank,
    Ranking,
    mean_ranks,
    summarize_ranks,
)

__all__ = [
    "Answered",
    "Judge",
    "MethodRank",
    "RankRow",
    "Ranking",
    "mean_ranks",
    "rank_answers",
    "summarize_ranks",
]
