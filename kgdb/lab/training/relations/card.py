"""What a training of the relation encoder gave, and its card, README.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kgdb._version import __version__
from kgdb.lab.training import cards
from kgdb.lab.training.relations.rows_for_training import DataReport
from kgdb.lab.training.relations.settings import RelationTraining
from kgdb.lab.training.trained_adapters import TrainedAdapter
from kgdb.wording import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedEncoder(TrainedAdapter):
    """An adapter of the encoder.

    ``doubtful`` counts the rows whose label looks wrong among those ``judged``, of which
    ``doubtful_examples`` are pairs of a question and its chain.
    """

    settings: RelationTraining
    data: DataReport
    judged: int
    doubtful: int
    doubtful_examples: Sequence[tuple[str, str]]

    def to_dict(self) -> dict[str, Any]:
        """All of it but the folder, as JSON has it."""
        return {
            **TrainedAdapter.to_dict(self),
            "judged": self.judged,
            "doubtful": self.doubtful,
            "doubtful_examples": [list(each) for each in self.doubtful_examples],
        }


def card(trained: TrainedEncoder) -> str:
    """The card in Markdown."""
    parts = [
        cards.front_matter("kgdb", ["kgdb", "relation-encoder"]),
        f"# {trained.base}, tuned by kgdb to choose relations\n",
        f"An adapter for {trained.base}, trained with kgdb {__version__} "
        "(`kgdb lab train relations`, GoT-R's prototype contrastive loss, equations 1 to 3). It is "
        "the difference of the "
        f"weights at rank {trained.settings.rank}: {trained.bytes / 2**20:.1f} MB.\n",
        "Use: `kgdb answer … --encoder minilm+FOLDER`, where FOLDER is this one.\n",
        f"## Data\n\n{cards.origins_table(trained.data.origins)}\n{_use(trained)}",
        trained.scores_section(),
        *trained.last_sections(),
    ]
    return "\n".join(filter(None, parts))


def _use(trained: TrainedEncoder) -> str:
    data = trained.data
    lines = [
        f"- Read: {counted(data.rows, 'row')}; {data.used:,} used.",
        *cards.dropped_lines(data.dropped),
        f"- Rows whose label looks wrong after training, of those judged: {trained.doubtful:,} of "
        f"{trained.judged:,}.",
        trained.purpose_line(),
    ]
    return "\n".join(filter(None, lines)) + "\n"
