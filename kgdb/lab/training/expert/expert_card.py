"""The card of an expert: its data, settings, measures and cost, as README.md.

Texts of the corpus are data here, too: they come into tables alone, on one line and escaped.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kgdb._version import __version__
from kgdb.lab.training import cards
from kgdb.lab.training.expert.expert_examples import DataReport
from kgdb.lab.training.expert.expert_settings import ExpertTraining
from kgdb.language.experts.trained import ExpertConfig
from kgdb.wording import counted


@dataclass(frozen=True, slots=True)
class TrainedExpertReport:
    """An expert that was trained: how, on what, and how well it does.

    ``before`` are the measures of the similarity on the evidence held back, ``after`` those of the
    expert, each with a threshold chosen in the same way. ``history`` has the error of each epoch;
    the weights are those of ``best_epoch``.
    """

    folder: str
    states: str
    config: ExpertConfig
    settings: ExpertTraining
    data: DataReport
    before: Mapping[str, float]
    after: Mapping[str, float]
    similarity_threshold: float
    best_epoch: int
    seconds: float
    packages: Mapping[str, str]
    history: tuple[Mapping[str, float], ...] = ()

    def to_dict(self) -> dict[str, object]:
        """All of it as JSON has it, without the folder, which says nothing elsewhere."""
        return {
            "kgdb": __version__,
            "states": self.states,
            "config": self.config.to_dict(),
            "settings": self.settings.to_dict(),
            "data": self.data.to_dict(),
            "measures": {"similarity": dict(self.before), "expert": dict(self.after)},
            "similarity_threshold": self.similarity_threshold,
            "best_epoch": self.best_epoch,
            "seconds": round(self.seconds, 1),
            "packages": dict(self.packages),
            "history": [dict(each) for each in self.history],
        }


def card(expert: TrainedExpertReport) -> str:
    """The card in Markdown."""
    data = expert.data
    parts = [
        cards.front_matter("kgdb", ["kgdb", "expert"]),
        "# An expert that judges evidence, trained by kgdb\n",
        f"A network on the states of {cards.cell(expert.states)}, trained with kgdb {__version__} "
        "(`kgdb lab train expert`; RefKG, equations 4 and 5).\n",
        "Use: `kgdb answer … --method refkg --set expert=FOLDER`, where FOLDER is this one.\n",
        f"## Data\n\n{cards.origins_table(data.origins)}\n{_use(data)}",
        f"## Scores\n\nOn {counted(data.held_back, 'query', 'queries')} held back, on which α and "
        f"the weight were chosen.\n\n{_measures(expert)}",
        f"![Error of each epoch]({cards.PICTURE})\n",
        f"## Settings\n\n{_settings(expert)}",
        f"## Cost\n\n- {expert.seconds:,.0f} s.\n"
        f"- {', '.join(f'{name} {version}' for name, version in expert.packages.items())}.\n",
    ]
    return "\n".join(parts)


def _use(data: DataReport) -> str:
    lines = [
        f"- Read: {counted(data.rows, 'row')}; {data.training:,} to train on, with "
        f"{counted(data.pieces, 'piece')} of evidence, and {data.held_back:,} held back.",
        *cards.dropped_lines(data.dropped),
        f"- Dropped, both gold and noise: {counted(data.contradictions, 'piece')}.",
        f"- Dropped, an anomalous similarity: {counted(data.outliers, 'piece')}.",
    ]
    return "\n".join(lines) + "\n"


def _measures(expert: TrainedExpertReport) -> str:
    rows = [
        (name, f"{expert.before[name]:.1%}", f"{after:.1%}") for name, after in expert.after.items()
    ]
    thresholds = ("α", f"{expert.similarity_threshold:.3f}", f"{expert.config.threshold:.3f}")
    return (
        cards.table(("measure", "similarity", "expert"), [*rows, thresholds])
        + "\n`gold kept`, `noise kept`: shares of the evidence that α keeps. `first`: queries "
        "whose best evidence is gold. `ranked`: the same by the score of its chain plus the "
        "weighted score of the expert.\n"
    )


def _settings(expert: TrainedExpertReport) -> str:
    given = expert.settings.to_dict()
    if expert.settings.hidden == "encoder":
        del given["layers"]
    given["weight in a chain's score"] = expert.config.weight
    given["best epoch"] = f"{expert.best_epoch} of {len(expert.history)}"
    return cards.table(("setting", "value"), [(name, str(value)) for name, value in given.items()])
