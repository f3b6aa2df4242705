"""Loss and dev scores over the steps of a run, as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from kgdb.optional_packages import optional

_WIDTH, _HEIGHT = 9.0, 3.6


def plot(
    file: Path, history: Sequence[Mapping[str, float]], before: Mapping[str, float], unit: str
) -> None:
    """Write a PNG: on the left the loss of training and dev, on the right the dev scores.

    ``history`` is the log of the trainer, ``before`` the dev scores before the first step,
    ``unit`` that of the loss.
    """
    optional("matplotlib", "lab")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_WIDTH, _HEIGHT), layout="constrained")
    FigureCanvasAgg(figure)
    losses, scores = figure.subplots(1, 2)
    _line(losses, "training", _series(history, "loss"))
    names = sorted({key for log in history for key in log if key.startswith("eval_")})
    for key in names:
        name = key.removeprefix("eval_")
        points = _series(history, key)
        if name in before:
            points = [(0, before[name]), *points]
        if name == "loss":
            _line(losses, "dev", points)
        elif not name.startswith("loss"):
            _line(scores, name.replace("_", ", ", 1), points)
    losses.set_ylabel(f"loss ({unit})")
    scores.set_ylabel("share of dev rows")
    scores.set_ylim(0, 1.02)
    for axes in (losses, scores):
        axes.set_xlabel("step")
        axes.grid(alpha=0.3)
        if axes.lines:
            axes.legend(fontsize="small")
    # Without the library's version in it, the same run gives the same file.
    figure.savefig(file, dpi=120, metadata={"Software": None})


def _series(history: Sequence[Mapping[str, float]], key: str) -> list[tuple[float, float]]:
    return [(log["step"], log[key]) for log in history if key in log]


def _line(axes: object, label: str, points: Sequence[tuple[float, float]]) -> None:
    if points:
        steps, values = zip(*points, strict=True)
        # matplotlib takes a label with an underscore before it for none.
        axes.plot(steps, values, marker=".", label=label.lstrip("_"))  # type: ignore[attr-defined]
