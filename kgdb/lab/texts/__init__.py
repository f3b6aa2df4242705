"""Dialogues: sets of them, and measures of answers as texts beside a text that a person wrote."""

from kgdb.lab.texts.bertscore import BertScore
from kgdb.lab.texts.dialogue_sets import ALL_SETS, DIALOGUES, DialogueQuestion
from kgdb.lab.texts.entity_match import KIND_RELATIONS, EntityKinds, KeyEntities
from kgdb.lab.texts.text_measures import TextMeasures, text_measures
from kgdb.lab.texts.text_rows import DialogueRow, DialogueSummary

__all__ = [
    "ALL_SETS",
    "DIALOGUES",
    "KIND_RELATIONS",
    "BertScore",
    "DialogueQuestion",
    "DialogueRow",
    "DialogueSummary",
    "EntityKinds",
    "KeyEntities",
    "TextMeasures",
    "text_measures",
]
