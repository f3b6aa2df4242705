"""The card of a verifier: its data, settings, scores and weights, as README.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kgdb._version import __version__
from kgdb.lab.training import cards
from kgdb.lab.training.verifier.verifier_examples import DataReport
from kgdb.lab.training.verifier.verifier_settings import VerifierTraining
from kgdb.methods.verification.verifier import VerifierConfig
from kgdb.wording import counted

_SHOWN = 15
"""Weights in the card: the largest."""


@dataclass(frozen=True, slots=True)
class TrainedVerifierReport:
    """A verifier that was trained: how, on what, and how well it does.

    ``before`` are the scores of the rules on the claims held back, ``after`` those of the verifier,
    each for a graph that lacks no fact. ``weights`` are by feature, of standardized numbers.
    """

    folder: str
    config: VerifierConfig
    settings: VerifierTraining
    data: DataReport
    before: Mapping[str, float]
    after: Mapping[str, float]
    weights: Mapping[str, float]
    seconds: float
    packages: Mapping[str, str]

    def to_dict(self) -> dict[str, object]:
        """All of it as JSON has it, without the folder, which says nothing elsewhere."""
        return {
            "kgdb": __version__,
            "config": self.config.to_dict(),
            "settings": self.settings.to_dict(),
            "data": self.data.to_dict(),
            "scores": {"rules": dict(self.before), "verifier": dict(self.after)},
            "weights": dict(self.weights),
            "seconds": round(self.seconds, 1),
            "packages": dict(self.packages),
        }


def card(trained: TrainedVerifierReport) -> str:
    """The card in Markdown."""
    data = trained.data
    use = [
        f"- Read: {counted(data.rows, 'claim')}; {data.training:,} to train on, "
        f"{data.held_back:,} held back.",
        *cards.dropped_lines(data.dropped),
    ]
    scores = [
        (name, f"{trained.before[name]:.1%}" if name in trained.before else "", f"{after:.1%}")
        for name, after in trained.after.items()
    ]
    largest = sorted(trained.weights.items(), key=lambda item: -abs(item[1]))[:_SHOWN]
    settings = [(name, str(value)) for name, value in trained.settings.to_dict().items()]
    settings.append(("sure from", f"{trained.config.sure:.4f}"))
    parts = [
        cards.front_matter("kgdb", ["kgdb", "verifier"]),
        "# A verifier of claims, trained by kgdb\n",
        f"A logistic regression on what the checks of a claim found, trained with kgdb "
        f"{__version__} (`kgdb lab train verifier`; RefKG, 3.4).\n",
        "Use: `kgdb verify … --method refkg --set verifier=FOLDER`, where FOLDER is this one.\n",
        f"## Data\n\n{cards.origins_table(data.origins)}\n" + "\n".join(use) + "\n",
        f"## Scores\n\nOn the {counted(data.held_back, 'claim')} held back.\n\n"
        + cards.table(("score", "rules", "verifier"), scores)
        + "\n`accuracy` takes the graph for complete: each claim is true or false. `sure`: the "
        "share of the claims of which the verifier is sure.\n",
        "## Weights\n\nThe largest, of standardized features; above 0 they speak for the claim.\n\n"
        + cards.table(("feature", "weight"), [(name, f"{each:+.2f}") for name, each in largest]),
        f"## Settings\n\n{cards.table(('setting', 'value'), settings)}",
        f"## Cost\n\n- {trained.seconds:,.0f} s.\n"
        f"- {', '.join(f'{name} {version}' for name, version in trained.packages.items())}.\n",
    ]
    return "\n".join(parts)
