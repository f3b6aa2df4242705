"""The context of one question: its graph, models, budget and trace, in batches with others."""

from kgdb.methods.context.mentions import MOST_LABELS, MOST_RELATIONS
from kgdb.methods.context.question_context import QuestionContext
from kgdb.methods.context.resources import Resources, Watch

__all__ = ["MOST_LABELS", "MOST_RELATIONS", "QuestionContext", "Resources", "Watch"]
