"""Measures of answers as texts, beside a text that a person wrote."""

from kgdb.evaluation.texts.bertscore import BertScore
from kgdb.evaluation.texts.fields import TextFields
from kgdb.evaluation.texts.key_entities import KIND_RELATIONS, EntityKinds, KeyEntities
from kgdb.evaluation.texts.measures import (
    NO_TEXT_SCORES,
    TextMeasures,
    TextScores,
    text_measures,
)

__all__ = [
    "KIND_RELATIONS",
    "NO_TEXT_SCORES",
    "BertScore",
    "EntityKinds",
    "KeyEntities",
    "TextFields",
    "TextMeasures",
    "TextScores",
    "text_measures",
]
