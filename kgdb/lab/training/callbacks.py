"""What follows a trainer of transformers: whole checkpoints, and progress with dev scores."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import torch
from transformers import TrainerCallback

from kgdb.lab.training.runs import Run
from kgdb.progress import Message, Progress, Report

EVALUATED = "eval_"
"""Before the name of a dev score in the trainer's log."""


class Saving(TrainerCallback):  # type: ignore[misc]
    """Evaluates and saves at the last step, too, and says when a checkpoint is whole."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def on_step_end(self, args: Any, state: Any, control: Any, **named: Any) -> Any:  # noqa: ARG002
        """Ask for the last evaluation and checkpoint."""
        if state.global_step >= state.max_steps:
            control.should_log = control.should_save = True
            control.should_evaluate = args.eval_strategy != "no"
        return control

    def on_save(self, args: Any, state: Any, control: Any, **named: Any) -> Any:  # noqa: ARG002
        """Mark the checkpoint."""
        if torch.distributed.is_initialized():
            # Each process has a file in it.
            torch.distributed.barrier()
        if state.is_world_process_zero:
            self._run.is_whole(state.global_step)
        return control


class Telling(TrainerCallback):  # type: ignore[misc]
    """Reports steps, and at each evaluation the scores and the time that is left.

    ``words`` puts dev scores into words.
    """

    def __init__(self, report: Report, words: Callable[[Mapping[str, float]], str]) -> None:
        self._report = report
        self._words = words
        self._loss = 0.0
        self._begun, self._from = time.monotonic(), 0

    def on_train_begin(self, args: Any, state: Any, control: Any, **named: Any) -> None:  # noqa: ARG002
        """Start the clock."""
        self._begun, self._from = time.monotonic(), state.global_step

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **named: Any) -> None:  # noqa: ARG002
        """Keep the loss."""
        self._loss = (logs or {}).get("loss", self._loss)

    def on_step_end(self, args: Any, state: Any, control: Any, **named: Any) -> None:  # noqa: ARG002
        """Report the step."""
        if state.is_world_process_zero:
            self._report(Progress("Tuning", state.global_step, state.max_steps, "steps"))

    def on_evaluate(
        self,
        args: Any,  # noqa: ARG002
        state: Any,
        control: Any,  # noqa: ARG002
        metrics: Mapping[str, float] | None = None,
        **named: Any,  # noqa: ARG002
    ) -> None:
        """Report the scores."""
        if state.is_world_process_zero and metrics and state.global_step:
            done = state.global_step - self._from
            left = (time.monotonic() - self._begun) / max(1, done)
            left *= state.max_steps - state.global_step
            self._report(
                Message(
                    f"Step {state.global_step:,} of {state.max_steps:,}: loss {self._loss:.3f}, "
                    f"dev {self._words(plain(metrics))}; about {left:.0f} s left."
                )
            )


def plain(metrics: Mapping[str, float]) -> dict[str, float]:
    """The dev scores of a log by their own names."""
    return {
        name.removeprefix(EVALUATED): score
        for name, score in metrics.items()
        if name.startswith(EVALUATED)
    }


def scores_of_best(state: Any) -> dict[str, float]:
    """The dev scores of the weights that are kept, as they were measured at their step."""
    for log in state.log_history:
        if log["step"] == state.best_global_step and f"{EVALUATED}loss" in log:
            return plain(log)
    return {}
