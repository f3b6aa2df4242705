"""What a training of the relation encoder gave, and its card, README.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kgdb._version import __version__
from kgdb.lab.training import cards
from kgdb.lab.training.relations.relation_settings import RelationTraining
from kgdb.lab.training.relations.rows_for_training import DataReport
from kgdb.lab.training.trained_run import TrainedRun
from kgdb.language.encoders.adapter import BASE
from kgdb.wording import counted

_MEANING = (
    "\n`loss`: nats of the right chain among the chains of its row. `first`: questions whose right "
    "chain stands before all others of the row."
)
"""Below the table of the dev scores."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedEncoder(TrainedRun):
    """An adapter that was trained: how, on what, and how well it does.

    ``before`` and ``after`` are scores on the ``data.measured`` dev rows (``loss`` and ``first``,
    over all graphs and by graph), empty without such rows. ``steps`` are those that were made, of
    ``all_steps``; the weights are those of ``best_step``. ``history`` is the log, ``bytes`` the
    size of the adapter. ``trained_for`` is the one graph of the rows, if they are of one, and
    digests of its phrases. ``doubtful`` counts the rows whose label looks wrong among those
    ``judged``, of which ``doubtful_examples`` are pairs of a question and its chain. ``is_main`` is
    false in all processes but the one that writes; only that one knows the size and what is
    doubtful.
    """

    folder: Path
    settings: RelationTraining
    data: DataReport
    bytes: int
    trained_for: Mapping[str, Any] | None
    judged: int
    doubtful: int
    doubtful_examples: Sequence[tuple[str, str]]

    def to_dict(self) -> dict[str, Any]:
        """All of it but the folder, as JSON has it."""
        return {
            "kgdb": __version__,
            "base": BASE,
            "settings": self.settings.to_dict(),
            "data": self.data.to_dict(),
            "bytes": self.bytes,
            **self.run_dict(),
            "trained_for": self.trained_for,
            "judged": self.judged,
            "doubtful": self.doubtful,
            "doubtful_examples": [list(each) for each in self.doubtful_examples],
        }


def card(trained: TrainedEncoder) -> str:
    """The card in Markdown."""
    parts = [
        cards.front_matter("kgdb", ["kgdb", "relation-encoder"]),
        f"# {BASE}, tuned by kgdb to choose relations\n",
        f"An adapter for {BASE}, trained with kgdb {__version__} (`kgdb lab train relations`, "
        "GoT-R's prototype contrastive loss, equations 1 to 3). It is the difference of the "
        f"weights at rank {trained.settings.rank}: {trained.bytes / 2**20:.1f} MB.\n",
        "Use: `kgdb answer … --encoder minilm+FOLDER`, where FOLDER is this one.\n",
        f"## Data\n\n{cards.origins_table(trained.data.origins)}\n{_use(trained)}",
        *trained.sections(trained.data.measured, _MEANING, trained.settings.to_dict()),
    ]
    return "\n".join(filter(None, parts))


def _use(trained: TrainedEncoder) -> str:
    data = trained.data
    lines = [
        f"- Read: {counted(data.rows, 'row')}; {data.used:,} used.",
        *cards.dropped_lines(data.dropped),
        f"- Rows whose label looks wrong after training, of those judged: {trained.doubtful:,} of "
        f"{trained.judged:,}.",
        _purpose_line(trained),
    ]
    return "\n".join(filter(None, lines)) + "\n"


def _purpose_line(trained: TrainedEncoder) -> str:
    """The graph that it is for, as an item of a list; empty if its rows are of several."""
    if not trained.trained_for:
        return ""
    graph = cards.cell(str(trained.trained_for["graph"]))
    return f"- Trained for the graph {graph} alone; kgdb says so on another one."
