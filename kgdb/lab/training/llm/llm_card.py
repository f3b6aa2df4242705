"""The card of a tuned language model: its data, settings, scores and cost, as README.md."""

from __future__ import annotations

from dataclasses import dataclass

from kgdb._version import __version__
from kgdb.lab.training import cards
from kgdb.lab.training.llm.llm_examples import DataReport
from kgdb.lab.training.llm.llm_settings import TuningSettings
from kgdb.lab.training.trained_run import TrainedRun
from kgdb.wording import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuned(TrainedRun):
    """A model that was tuned: how, on what, and how well it does.

    ``name`` is what ``--llm`` takes. The scores are ``loss``, ``exact`` and ``choice``, over all
    tasks and by task.
    """

    base: str
    name: str
    settings: TuningSettings
    data: DataReport

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
            **self.run_dict(),
        }


def card(tuned: Tuned) -> str:
    """The card in Markdown."""
    lora = tuned.settings.strategy == "lora"
    what = "A LoRA adapter for" if lora else "All weights of"
    data = tuned.data
    parts = [
        cards.front_matter("peft" if lora else "transformers", ["kgdb", "lora"][: 1 + lora]),
        f"# {cards.cell(tuned.base)}, tuned by kgdb\n",
        f"{what} {cards.cell(tuned.base)}, tuned with kgdb {__version__} "
        "(`kgdb lab train llm`, RefKG's multi-task tuning, equation 8).\n",
        f"Use: `kgdb answer … --llm {cards.code(tuned.use)}`, where FOLDER is this one.\n",
        f"## Data\n\n{cards.origins_table(data.origins)}\n{_use(data)}",
        *tuned.sections(data.held_back, _MEANING, tuned.settings.to_dict()),
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
