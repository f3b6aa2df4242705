"""The card of a tuned model: its data, settings, scores and cost, as README.md.

Texts of the corpus are data here, too: they come into tables alone, on one line and escaped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kgdb._version import __version__
from kgdb.training.llm.examples import DataReport
from kgdb.training.llm.settings import TuningSettings
from kgdb.wording import brief, counted, one_line

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#|!])")


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
    head = {
        "library_name": "peft" if lora else "transformers",
        "tags": ["kgdb", "lora"] if lora else ["kgdb"],
    }
    what = "A LoRA adapter for" if lora else "All weights of"
    parts = [
        "---\n" + "".join(f"{key}: {json.dumps(value)}\n" for key, value in head.items()) + "---\n",
        f"# {_cell(tuned.base)}, tuned by kgdb\n",
        f"{what} {_cell(tuned.base)}, tuned with kgdb {__version__} "
        "(`kgdb train llm`, RefKG's multi-task tuning, equation 8).\n",
        f"Use: `kgdb answer … --llm {_code(tuned.use)}`, where FOLDER is this one.\n",
        f"## Data\n\n{_origins(tuned.data)}\n{_use(tuned.data)}",
        f"## Scores\n\nOn {counted(tuned.data.held_back, 'row')} held back.\n\n{_scores(tuned)}",
        "![Loss and dev scores](loss.png)\n" if tuned.history else "",
        f"## Settings\n\n{_settings(tuned)}",
        f"## Cost\n\n{_cost(tuned)}",
    ]
    return "\n".join(filter(None, parts))


def _origins(data: DataReport) -> str:
    rows = [
        (graph or "not given", source or "not given", licence or "not given", f"{count:,}")
        for (graph, source, licence), count in data.origins.most_common()
    ]
    return _table(("graph", "source", "licence", "rows"), rows)


def _use(data: DataReport) -> str:
    lines = [f"- Read: {counted(data.rows, 'row')}; {data.used.total():,} used."]
    lines += [
        f"- Task {_cell(task)}: {counted(count, 'row')}." for task, count in data.used.most_common()
    ]
    lines += [
        f"- Dropped, {_cell(why)}: {counted(n, 'row')}." for why, n in data.dropped.most_common()
    ]
    lines.append(f"- Rows beside the usual reply to their prompt: {data.contradictions:,}.")
    return "\n".join(lines) + "\n"


def _scores(tuned: Tuned) -> str:
    rows = [
        (
            name.replace("_", ", ", 1),
            _number(name, tuned.before.get(name)),
            _number(name, tuned.after.get(name)),
        )
        for name in tuned.after
    ]
    if not rows:
        return "No rows were held back.\n"
    return (
        _table(("score", "before", "after"), rows)
        + "\n`loss`: nats per token of a reply. `exact`: replies whose every token is the "
        "likeliest. `choice`: rows with choices at which the right one is the likeliest.\n"
    )


def _settings(tuned: Tuned) -> str:
    given = tuned.settings.to_dict()
    given["best step"] = f"{tuned.best_step:,} of {tuned.steps:,} made, {tuned.all_steps:,} planned"
    return _table(("setting", "value"), [(name, str(value)) for name, value in given.items()])


def _cost(tuned: Tuned) -> str:
    numbers = "bfloat16" if tuned.bfloat16 else "float32"
    packages = ", ".join(f"{name} {version}" for name, version in tuned.packages.items())
    return (
        f"- {tuned.seconds:,.0f} s in {tuned.processes} process(es) on {_cell(tuned.device)},"
        f" in {numbers}.\n"
        f"- {tuned.tuned_parameters:,} of {counted(tuned.parameters, 'parameter')} tuned.\n"
        f"- {packages}.\n"
    )


def _number(name: str, score: float | None) -> str:
    if score is None:
        return "–"
    return f"{score:.4f}" if name.startswith("loss") else f"{score:.1%}"


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *(tuple(map(_cell, row)) for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _cell(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", brief(one_line(text), 200))


def _code(text: str) -> str:
    return one_line(text).replace("`", "'")
