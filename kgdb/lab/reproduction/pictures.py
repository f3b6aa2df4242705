"""A result as a picture: bars beside each other, or lines over an option."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

from kgdb.lab.reproduction.spec import Column, Published
from kgdb.lab.reproduction.table_results import Result, RunResult
from kgdb.optional_packages import optional

_WIDTH, _HEIGHT, _ROW, _TITLE = 9.0, 3.8, 0.28, 0.6  # inches
_LABEL = 28  # characters of a line
_FORMATS = ("png", "svg")
_PERCENT = 100
_STYLES: Sequence[Mapping[str, Any]] = (
    {"linestyle": "-", "marker": "o", "markersize": 9, "alpha": 0.5},
    {"linestyle": "--", "marker": "x"},
    {"linestyle": ":", "marker": "s", "fillstyle": "none"},
)


def draw(result: Result, folder: Path) -> Path | None:
    """Write NAME.png and NAME.svg, the same for the same scores; ``None`` if there is no score."""
    if not any(each.means for each in result.runs):
        for form in _FORMATS:
            # One of an earlier run would show what is no longer so.
            (folder / f"{result.spec.name}.{form}").unlink(missing_ok=True)
        return None
    optional("matplotlib", "lab")
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    columns = [
        column
        for column in result.spec.columns
        if any(column.title in each.means for each in result.runs)
    ]
    lines = result.spec.plot == "lines"
    height = _HEIGHT if lines else _height(result, columns)
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
    """A panel for each column, a bar for each row that has a score: the published ones pale."""
    across = _across(columns)
    bars = [[each for each in _rows(result) if _has(each, column)] for column in columns]
    lines = [bars[place : place + across] for place in range(0, len(bars), across)]
    heights = [max(map(len, line)) + 2 for line in lines]
    panels = figure.subplots(
        len(lines), across, squeeze=False, gridspec_kw={"height_ratios": heights}
    )
    for place, axes in enumerate(panels.flat):
        if place >= len(columns):
            axes.set_visible(False)
            continue
        column, rows = columns[place], bars[place]
        for number, row in enumerate(rows):
            value, error = _bar(row, column)
            color = "#2c6fbb" if isinstance(row, RunResult) else "#c3ccd6"
            axes.barh(number, value, xerr=error, color=color, capsize=2)
            if not value:
                # A score of zero is not the same as none.
                axes.text(0, number, " 0", va="center", fontsize="x-small")
        beside = place % across and rows == bars[place - 1]
        names = [] if beside else [fill(_named(result, row), _LABEL) for row in rows]
        names = names or [""] * len(rows)
        axes.set_yticks(range(len(rows)), names, fontsize="x-small", linespacing=1.0)
        # The first row is at the top; panels of one line have room for the same number.
        most = max(map(len, lines[place // across]))
        axes.set_ylim(most - 0.4, -0.6)
        if column.scale == _PERCENT:
            # The same in all panels, so that they can be compared.
            axes.set_xlim(0, max(_PERCENT * 1.04, axes.get_xlim()[1]))
        elif not any(_bar(row, column)[0] for row in rows):
            axes.set_xlim(0, 1)
        axes.set_title(column.title, fontsize="small")
        axes.tick_params(axis="x", labelsize="x-small")
        axes.grid(axis="x", alpha=0.3)


def _across(columns: list[Column]) -> int:
    return min(2, len(columns))


def _height(result: Result, columns: list[Column]) -> float:
    """The inches that all panels of bars need."""
    counts = [sum(_has(each, column) for each in _rows(result)) for column in columns]
    across = _across(columns)
    lines = [max(counts[at : at + across]) for at in range(0, len(counts), across)]
    return max(_HEIGHT, sum(_ROW * bars + _TITLE for bars in lines))


def _has(row: Published | RunResult, column: Column) -> bool:
    return column.title in (row.values if isinstance(row, Published) else row.means)


def _named(result: Result, row: Published | RunResult) -> str:
    return row.row if isinstance(row, Published) else f"{result.called(row)} (kgdb)"


def _rows(result: Result) -> list[Published | RunResult]:
    return [*result.spec.published, *(each for each in result.runs if each.means)]


def _bar(row: Published | RunResult, column: Column) -> tuple[float, Any]:
    if isinstance(row, Published):
        return row.values[column.title], None
    mean = row.means[column.title]
    value, low, high = (each * column.scale for each in (mean.value, mean.low, mean.high))
    return value, [[value - low], [high - value]]


def _series(result: Result, each: RunResult) -> str:
    return ", ".join(filter(None, (each.run.series, result.own_models(each))))


def _lines(figure: Any, result: Result, columns: list[Column]) -> None:
    """A line for each series and column, over the value that runs differ in."""
    axes = figure.subplots()
    series = dict.fromkeys(_series(result, each) for each in result.runs if each.means)
    for number, name in enumerate(series):
        # Series often have the same scores: a line over another leaves it to be seen.
        style = _STYLES[number % len(_STYLES)]
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
                label = ", ".join(filter(None, (name, column.title)))
                axes.plot(x, y, label=label, **style)
    places = sorted({each.run.x for each in result.runs if each.means and each.run.x is not None})
    axes.set_xticks(places, [f"{place:g}" for place in places])
    axes.grid(alpha=0.3)
    lowest, highest = axes.get_ylim()
    axes.set_ylim(lowest - 1, highest + 1)
    if axes.lines:
        figure.legend(loc="outside lower center", ncols=2, fontsize="small")
