"""What a training by steps gave, whatever model it trained: scores, steps, cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from kgdb.lab.training import cards
from kgdb.lab.training.processes import is_main, process_count
from kgdb.lab.training.runs import Run
from kgdb.progress import Message, Report
from kgdb.wording import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedRun:
    """How a model was trained, and how well it does.

    ``before`` and ``after`` are scores on held-back rows, empty without such rows. ``steps`` are
    those that were made, of ``all_steps``; the weights are those of ``best_step``. ``history`` is
    the log. ``is_main`` is false in all processes but the one that writes.
    """

    before: Mapping[str, float]
    after: Mapping[str, float]
    steps: int
    all_steps: int
    best_step: int
    seconds: float
    parameters: int
    tuned_parameters: int
    processes: int
    bfloat16: bool
    device: str
    packages: Mapping[str, str]
    history: tuple[Mapping[str, float], ...] = ()
    is_main: bool = True

    def run_dict(self) -> dict[str, Any]:
        """All of it as JSON has it."""
        return {
            "scores": {"before": dict(self.before), "after": dict(self.after)},
            "steps": self.steps,
            "all_steps": self.all_steps,
            "best_step": self.best_step,
            "seconds": round(self.seconds, 1),
            "parameters": self.parameters,
            "tuned_parameters": self.tuned_parameters,
            "processes": self.processes,
            "bfloat16": self.bfloat16,
            "device": self.device,
            "packages": dict(self.packages),
            "history": list(self.history),
        }

    def sections(self, measured: int, meaning: str, settings: Mapping[str, object]) -> list[str]:
        """The parts of a card on scores, settings and cost.

        ``measured`` counts the rows held back, and ``meaning`` says what their scores mean.
        """
        scores = cards.scores_table(self.before, self.after)
        given = cards.settings_table(settings, self.steps, self.all_steps, self.best_step)
        return [
            f"## Scores\n\nOn {counted(measured, 'row')} held back.\n\n"
            f"{scores + meaning if scores else 'No rows were held back.'}\n",
            f"![Loss and dev scores]({cards.PICTURE})\n" if self.history else "",
            f"## Settings\n\n{given}",
            f"## Cost\n\n{self._cost()}",
        ]

    def _cost(self) -> str:
        numbers = "bfloat16" if self.bfloat16 else "float32"
        versions = ", ".join(f"{name} {number}" for name, number in self.packages.items())
        return (
            f"- {self.seconds:,.0f} s in {counted(self.processes, 'process', 'processes')} on "
            f"{cards.cell(self.device)}, in {numbers}.\n"
            f"- {self.tuned_parameters:,} of {counted(self.parameters, 'parameter')} tuned.\n"
            f"- {versions}.\n"
        )


def train(
    trainer: Any,
    run: Run,
    words: Callable[[Mapping[str, float]], str],
    report: Report,
    *,
    measured: bool,
) -> None:
    """Measure and train, or go on where the run last saved.

    ``words`` puts dev scores into words; ``measured``: there are rows for them.
    """
    with trainer.args.main_process_first(local=False, desc="checkpoints"):
        checkpoint = run.last_checkpoint()
    if checkpoint is None:
        before = trainer.scores() if measured else {}
        if is_main():
            run.begin(before)
        if before:
            report(Message(f"Before tuning: dev {words(before)}."))
    else:
        report(Message(f"Going on from step {checkpoint.name.rpartition('-')[2]}."))
    trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)


def outcome(
    run: Run,
    state: Any,
    after: Mapping[str, float],
    parameters: Iterable[tuple[int, bool]],
    packages: Sequence[str],
    *,
    bfloat16: bool,
) -> dict[str, Any]:
    """The fields of a :class:`TrainedRun`, of a trainer's state.

    ``parameters`` are the size of each, and whether it was tuned.
    """
    from kgdb.lab.training.hardware import device_name

    sizes = list(parameters)
    return {
        "before": run.before,
        "after": after,
        "steps": state.global_step,
        "all_steps": state.max_steps,
        "best_step": state.best_global_step or state.global_step,
        "seconds": run.elapsed,
        "parameters": sum(size for size, _ in sizes),
        "tuned_parameters": sum(size for size, tuned in sizes if tuned),
        "processes": process_count(),
        "bfloat16": bfloat16,
        "device": device_name(process_count()),
        "packages": {name: version(name) for name in packages},
        "history": tuple(state.log_history),
        "is_main": is_main(),
    }
