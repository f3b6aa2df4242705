"""The card of a tuned language model: its data, settings, scores and cost, as README.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kgdb._version import __version__
from kgdb.lab.training import cards
from kgdb.lab.training.llm.llm_examples import DataReport
from kgdb.lab.training.llm.llm_settings import TuningSettings
from kgdb.wording import counted


@dataclass(frozen=True, slots=True)
class Tuned:
    """A model that was tuned: how, on what, and how well it does.

    ``name`` is what ``--llm`` takes. ``before`` and ``after`` are scores on the held-back rows (of
    ``loss``, ``exact`` and ``choice``, over all tasks and by task). ``steps`` are those that were
    made, of ``all_steps``; the weights are those of ``best_step``. ``history`` is the log.
    ``is_main`` is false in all processes but the one that writes.
    """

    base: str
    name: str
    settings: TuningSettings
    data: DataReport
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

    @property
    def use(self) -> str:
        """What ``--llm`` takes, wherever the folder lies."""
        if self.settings.strategy == "full":
            return "hf:FOLDER"
        return f"{'smollm2' if self.name.startswith('smollm2') else f'hf:{self.base}'}+FOLDER"

    def to_dict(self) -> dict[str, object]:
        """All of it as JSON has it."""
        return {
            "kgdb": __version__,
            "base": self.base,
            "settings": self.settings.to_dict(),
            "data": self.data.to_dict(),
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


def card(tuned: Tuned) -> str:
    """The card in Markdown."""
    lora = tuned.settings.strategy == "lora"
    what = "A LoRA adapter for" if lora else "All weights of"
    data = tuned.data
    scores = cards.scores_table(tuned.before, tuned.after)
    settings = cards.settings_table(
        tuned.settings.to_dict(), tuned.steps, tuned.all_steps, tuned.best_step
    )
    cost = cards.cost_lines(
        seconds=tuned.seconds,
        processes=tuned.processes,
        device=tuned.device,
        bfloat16=tuned.bfloat16,
        tuned=tuned.tuned_parameters,
        parameters=tuned.parameters,
        packages=tuned.packages,
    )
    parts = [
        cards.front_matter("peft" if lora else "transformers", ["kgdb", "lora"][: 1 + lora]),
        f"# {cards.cell(tuned.base)}, tuned by kgdb\n",
        f"{what} {cards.cell(tuned.base)}, tuned with kgdb {__version__} "
        "(`kgdb lab train llm`, RefKG's multi-task tuning, equation 8).\n",
        f"Use: `kgdb answer … --llm {cards.code(tuned.use)}`, where FOLDER is this one.\n",
        f"## Data\n\n{cards.origins_table(data.origins)}\n{_use(data)}",
        f"## Scores\n\nOn {counted(data.held_back, 'row')} held back.\n\n"
        f"{scores + _MEANING if scores else 'No rows were held back.'}\n",
        f"![Loss and dev scores]({cards.PICTURE})\n" if tuned.history else "",
        f"## Settings\n\n{settings}",
        f"## Cost\n\n{cost}",
    ]
    return "\n".join(filter(None, parts))


_MEANING = (
    "\n`loss`: nats per token of a reply. `exact`: replies whose every token is the likeliest. "
    "`choice`: rows with choices at which the right one is the likeliest."
)


def _use(data: DataReport) -> str:
    lines = [f"- Read: {counted(data.rows, 'row')}; {data.used.total():,} used."]
    lines += [
        f"- Task {cards.cell(task)}: {counted(count, 'row')}."
        for task, count in data.used.most_common()
    ]
    lines += cards.dropped_lines(data.dropped)
    lines.append(f"- Rows beside the usual reply to their prompt: {data.contradictions:,}.")
    return "\n".join(lines) + "\n"
