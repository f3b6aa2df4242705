"""What models and methods gave, in the form in which tests compare it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kgdb.errors import ModelError
from kgdb.language import Completion, CompletionRequest, LanguageModel
from kgdb.values import Answer


def complete(model: LanguageModel, *requests: CompletionRequest) -> list[Completion]:
    """What the model replies; the first of its errors is raised."""
    completions = []
    for outcome in model.complete(requests):
        if isinstance(outcome, ModelError):
            raise outcome
        completions.append(outcome)
    return completions


def ranked(answer: Answer) -> list[str]:
    """The names of what is answered, the best first."""
    return [answered.entity.name for answered in answer.entities]


def names(answer: Answer) -> set[str]:
    """The names of what is answered, in whatever order."""
    return set(ranked(answer))


def retrieved(answer: Answer) -> set[tuple[str, ...]]:
    """The names along each path that was found."""
    return {tuple(entity.name for entity in path.entities) for path in answer.retrieved}


def stages(answer: Answer) -> list[str]:
    """The stages that were run, in their order."""
    return [stage.name for stage in answer.trace]


def said(answer: Answer, stage: str) -> Mapping[str, Any]:
    """What the one stage of that name tells."""
    (output,) = [each.output for each in answer.trace if each.name == stage]
    return output
