"""A result as a picture: bars beside each other, or lines over an option."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kgdb.optional_packages import optional
from kgdb.reproduction.results import Result, RunResult
from kgdb.reproduction.spec import Column, Published

_WIDTH, _HEIGHT, _ROW = 8.0, 3.8, 0.28
_FORMATS = ("png", "svg")
_PERCENT = 100


def draw(result: Result, folder: Path) -> Path | None:
    """Write NAME.png and NAME.svg, the same for the same scores; ``None`` if there is no score."""
    if not any(each.means for each in result.runs):
        return None
    optional("matplotlib", "reproduce")
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    columns = [
        column
        for column in result.spec.columns
        if any(column.title in each.means for each in result.runs)
    ]
    lines = result.spec.plot == "lines"
    bars = len(result.spec.published) + len(result.runs)
    height = _HEIGHT if lines else max(_HEIGHT, _ROW * bars * len(columns) / 2)
    # Texts as texts: they can be searched, and the file has a quarter of the size.
    with mpl.rc_context({"svg.hashsalt": result.spec.name, "svg.fonttype": "none"}):
        figure = Figure(figsize=(_WIDTH, height), layout="constrained")
        FigureCanvasAgg(figure)
        if lines:
            _lines(figure, result, columns)
        else:
            _bars(figure, result, columns)
        figure.suptitle(result.spec.title, fontsize="medium")
        for form in _FORMATS:
            metadata = {"Software": None} if form == "png" else {"Date": None, "Creator": None}
            figure.savefig(folder / f"{result.spec.name}.{form}", dpi=120, metadata=metadata)
    return folder / f"{result.spec.name}.{_FORMATS[0]}"


def _bars(figure: Any, result: Result, columns: list[Column]) -> None:
    """A panel for each column, a bar for each row: the published ones pale."""
    across = min(2, len(columns))
    down = -(-len(columns) // across)
    panels = figure.subplots(down, across, squeeze=False, sharey=True)
    for place, axes in enumerate(panels.flat):
        if place >= len(columns):
            axes.set_visible(False)
            continue
        column = columns[place]
        names: list[str] = []
        for row in _rows(result):
            label, value, error = _bar(result, row, column)
            place_of_bar = len(names)
            names.append(label)
            if value is None:
                continue
            color = "#2c6fbb" if isinstance(row, RunResult) else "#c3ccd6"
            axes.barh(place_of_bar, value, xerr=error, color=color, capsize=2)
            if not value:
                # A score of zero is not the same as none.
                axes.text(0, place_of_bar, " 0", va="center", fontsize="x-small")
        axes.set_yticks(range(len(names)), names, fontsize="x-small")
        axes.set_ylim(-0.6, len(names) - 0.4)
        if column.scale == _PERCENT:
            # The same in all panels, so that they can be compared.
            axes.set_xlim(0, max(_PERCENT * 1.04, axes.get_xlim()[1]))
        axes.set_title(column.title, fontsize="small")
        axes.tick_params(axis="x", labelsize="x-small")
        axes.grid(axis="x", alpha=0.3)
    panels[0, 0].invert_yaxis()


def _rows(result: Result) -> list[Published | RunResult]:
    return [*result.spec.published, *(each for each in result.runs if each.means)]


def _bar(
    result: Result, row: Published | RunResult, column: Column
) -> tuple[str, float | None, Any]:
    if isinstance(row, Published):
        return row.row, row.values.get(column.title), None
    mean = row.means.get(column.title)
    if mean is None:
        return f"{result.called(row)} (kgdb)", None, None
    value, low, high = (each * column.scale for each in (mean.value, mean.low, mean.high))
    return f"{result.called(row)} (kgdb)", value, [[value - low], [high - value]]


def _series(result: Result, each: RunResult) -> str:
    return ", ".join(filter(None, (each.run.series, result.own_models(each))))


def _lines(figure: Any, result: Result, columns: list[Column]) -> None:
    """A line for each series and column, over the value that runs differ in."""
    axes = figure.subplots()
    series = dict.fromkeys(_series(result, each) for each in result.runs if each.means)
    for name in series:
        for column in columns:
            points = sorted(
                (each.run.x, each.means[column.title].value * column.scale)
                for each in result.runs
                if _series(result, each) == name
                and each.run.x is not None
                and column.title in each.means
            )
            if points:
                x, y = zip(*points, strict=True)
                axes.plot(x, y, marker="o", label=", ".join(filter(None, (name, column.title))))
    places = sorted({each.run.x for each in result.runs if each.means and each.run.x is not None})
    axes.set_xticks(places, [f"{place:g}" for place in places])
    axes.grid(alpha=0.3)
    if axes.lines:
        axes.legend(fontsize="small")
