"""What a training of the reranker of chains gave, and its card, README.md."""

from __future__ import annotations

from dataclasses import dataclass

from kgdb._version import __version__
from kgdb.lab.training import cards
from kgdb.lab.training.relations.rows_for_training import DataReport
from kgdb.lab.training.reranker.settings import RerankerTraining
from kgdb.lab.training.trained_adapters import TrainedAdapter
from kgdb.wording import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedReranker(TrainedAdapter):
    """An adapter of a cross-encoder; ``used_as`` is the name for it but for its folder."""

    settings: RerankerTraining
    data: DataReport
    used_as: str


def card(trained: TrainedReranker) -> str:
    """The card in Markdown."""
    data = trained.data
    use = [
        f"- Read: {counted(data.rows, 'row')}; {data.used:,} used.",
        *cards.dropped_lines(data.dropped),
        trained.purpose_line(),
    ]
    parts = [
        cards.front_matter("kgdb", ["kgdb", "chain-reranker"]),
        f"# {cards.cell(trained.base)}, tuned by kgdb to order chains of relations\n",
        f"An adapter for {cards.cell(trained.base)}, trained with kgdb {__version__} (`kgdb lab train "
        "reranker`): a cross-encoder that reads a question and a chain together. It is the "
        f"difference of the weights at rank {trained.settings.rank}: "
        f"{trained.bytes / 2**20:.1f} MB. The scores after are of these weights.\n",
        f"Use: `kgdb answer … --reranker {cards.code(trained.used_as)}FOLDER`, where FOLDER is "
        "this one.\n",
        f"## Data\n\n{cards.origins_table(data.origins)}\n" + "\n".join(filter(None, use)) + "\n",
        trained.scores_section(),
        *trained.last_sections(),
    ]
    return "\n".join(filter(None, parts))
