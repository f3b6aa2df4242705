"""The context of one question: its graph, models, budget and trace, in batches with others."""

from kgdb.methods.context.question import QuestionContext
from kgdb.methods.context.resources import Resources, Watch

__all__ = ["QuestionContext", "Resources", "Watch"]
