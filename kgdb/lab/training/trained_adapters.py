"""What a training of an adapter gave: how, on what, and how well the adapter does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from kgdb._version import __version__
from kgdb.lab.training import cards
from kgdb.wording import counted

MEANING = (
    "\n`loss`: nats of the right chain among the chains of its row. `first`: questions whose right "
    "chain stands before all others of the row."
)
"""Below the table of the dev scores."""


class _Settings(Protocol):
    def to_dict(self) -> dict[str, object]:
        """As JSON."""


class _Data(Protocol):
    @property
    def measured(self) -> int:
        """The dev rows."""

    def to_dict(self) -> dict[str, object]:
        """As JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedAdapter:
    """An adapter that was trained.

    ``base`` is the model that it is for. ``before`` and ``after`` are scores on the dev rows
    (``loss`` and ``first``, over all graphs and by graph), empty without such rows. ``steps`` are
    those that were made, of ``all_steps``; the weights are those of ``best_step``. ``history`` is
    the log, ``bytes`` the size of the adapter. ``trained_for`` is the one graph of the rows, if
    they are of one, and digests of its phrases.
    """

    folder: Path
    base: str
    settings: _Settings
    data: _Data
    before: Mapping[str, float]
    after: Mapping[str, float]
    steps: int
    all_steps: int
    best_step: int
    seconds: float
    parameters: int
    tuned_parameters: int
    bytes: int
    bfloat16: bool
    device: str
    packages: Mapping[str, str]
    trained_for: Mapping[str, Any] | None
    history: tuple[Mapping[str, float], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """All of it but the folder, as JSON has it."""
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
            "bytes": self.bytes,
            "bfloat16": self.bfloat16,
            "device": self.device,
            "packages": dict(self.packages),
            "trained_for": self.trained_for,
            "history": list(self.history),
        }

    def scores_section(self) -> str:
        """The dev scores, as a section of the card."""
        scores = cards.scores_table(self.before, self.after)
        return (
            f"## Scores\n\nOn {counted(self.data.measured, 'row')} held back.\n\n"
            f"{scores + MEANING if scores else 'No rows were held back.'}\n"
        )

    def last_sections(self) -> list[str]:
        """The picture, the settings and the cost, as sections of the card."""
        settings = cards.settings_table(
            self.settings.to_dict(), self.steps, self.all_steps, self.best_step
        )
        cost = cards.cost_lines(
            seconds=self.seconds,
            processes=1,
            device=self.device,
            bfloat16=self.bfloat16,
            tuned=self.tuned_parameters,
            parameters=self.parameters,
            packages=self.packages,
        )
        return [
            f"![Loss and dev scores]({cards.PICTURE})\n" if self.history else "",
            f"## Settings\n\n{settings}",
            f"## Cost\n\n{cost}",
        ]

    def purpose_line(self) -> str:
        """The graph that it is for, as an item of a list; empty if its rows are of several."""
        if not self.trained_for:
            return ""
        graph = cards.cell(str(self.trained_for["graph"]))
        return f"- Trained for the graph {graph} alone; kgdb says so on another one."
