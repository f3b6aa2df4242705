"""A result as Markdown: our rows under the published ones."""

from __future__ import annotations

from collections.abc import Sequence

from kgdb.lab.intervals import Mean
from kgdb.lab.ranking.trust import silence, trust
from kgdb.lab.reproduction.ranking import SetRanking
from kgdb.lab.reproduction.spec import Column, Published
from kgdb.lab.reproduction.table_results import Result, RunResult
from kgdb.wording import counted, one_line

_SURE = 0.05
_WIDE = 10  # columns


def markdown(result: Result, picture: str | None = None) -> str:
    """The table with intervals, what was not run and why, and the picture if there is one."""
    spec = result.spec
    lines = [f"# {spec.title}", ""]
    if spec.about:
        lines += [spec.about, ""]
    if spec.needs:
        lines += [f"Needs {spec.needs}.", ""]
    if spec.columns:
        lines += _table(result)
    lines += _notes(result)
    if picture:
        lines += [f"![{spec.title}]({picture})", ""]
    return "\n".join(lines).rstrip() + "\n"


def _table(result: Result) -> list[str]:
    spec = result.spec
    titles = ["", "from", *(column.title for column in spec.columns), ""]
    rows = [titles]
    ours: dict[str | None, list[RunResult]] = {}
    for each in result.runs:
        ours.setdefault(each.run.beside, []).append(each)
    for published in spec.published:
        rows.append(_published(published, spec.columns, spec.paper))
        rows += [_ours(result, each) for each in ours.pop(published.row, ())]
    rows += [_ours(result, each) for of_row in ours.values() for each in of_row]
    rule = ["---", "---", *("---:" for _ in spec.columns), "---"]
    if len(spec.columns) > max(_WIDE, len(rows)):
        # So many columns fit no page: they become the rows.
        rows = [list(row) for row in zip(*rows, strict=True)]
        rule = ["---", *("---:" for _ in rows[0][1:])]
    rows.insert(1, rule)
    return [*("| " + " | ".join(cells) + " |" for cells in rows), ""]


def _published(published: Published, columns: Sequence[Column], paper: str) -> list[str]:
    values = [published.values.get(column.title) for column in columns]
    return [published.row, paper, *("" if each is None else f"{each:g}" for each in values), ""]


def _ours(result: Result, each: RunResult) -> list[str]:
    cells = []
    for column in result.spec.columns:
        mean = each.means.get(column.title)
        cells.append("" if mean is None else _score(mean, column, each))
    standings = {
        result.standing(each, column.title) for column in result.spec.columns if each.means
    }
    worst = next((one for one in ("fail", "near", "ok") if one in standings), "")
    name = f"**{result.called(each)}**"
    ours = "kgdb, gold entities" if result.gold_entities else "kgdb"
    return [name, ours if each.means else "not run", *cells, worst]


def _score(mean: Mean, column: Column, each: RunResult) -> str:
    value, low, high = (one * column.scale for one in (mean.value, mean.low, mean.high))
    star = "\\*" if each.differing.get(column.title, 1.0) < _SURE else ""
    places = column.decimals
    return f"{value:.{places}f}{star} ({low:.{places}f} to {high:.{places}f})"


def _skipped(result: Result, each: RunResult) -> str:
    why = one_line(each.skipped or "").rstrip(".")
    if each.stopped:
        return f"- **{result.called(each)}** was stopped: {why}. The same command goes on."
    return f"- **{result.called(each)}** was not run: {why}."


def _notes(result: Result) -> list[str]:
    ran = [each for each in result.runs if each.means]
    notes = [_skipped(result, each) for each in result.runs if each.skipped]
    notes += [
        f"- **{result.called(each)}**: {counted(each.errors, 'question')} ended in an error and "
        f"{'counts' if each.errors == 1 else 'count'} as wrong; the same command asks again. The "
        f"first error: {one_line(each.first_error)}"
        for each in result.runs
        if each.first_error
    ]
    if ran:
        asked = "all questions" if result.limit is None else f"{result.limit} questions of each set"
        models = "; ".join(dict.fromkeys(each.models for each in ran))
        notes.append(
            f"- kgdb's rows: {asked}, drawn by seed {result.seed}; {models}; "
            f"{result.entities}. In brackets: 95 % bootstrap interval."
        )
        first = result.called(ran[0])
        if any(value < _SURE for each in ran for value in each.differing.values()):
            own = ""
            if len({each.models for each in ran if not each.run.llm}) > 1:
                own = ", or from the first row of the same models,"
            notes.append(
                f"- \\*: differs from {first}{own} by a paired permutation test (p < {_SURE})."
            )
        missing = [
            column.title for column in result.spec.columns
            if all(column.title not in each.means for each in ran)
        ]  # fmt: skip
        if missing:
            notes.append(f"- Not measured here: {', '.join(missing)}.")
    notes += [f"- {line}" for each in result.rankings for line in _judged(result, each)]
    return [*notes, ""] if notes else []


def _judged(result: Result, each: SetRanking) -> list[str]:
    """Who ranked a set, and how far its ranks can be trusted."""
    of_models = len({one.models for one in result.rankings}) > 1
    title = f"{each.questions.title} by {each.models}" if of_models else each.questions.title
    if each.ranking is None:
        why = one_line(each.stopped).rstrip(".")
        return [f"**{title}** was not ranked: {why}. The same command goes on."]
    first = (
        f"**{title}** was ranked by {one_line(each.ranking.judge)}, each question in two orders."
    )
    told = (*trust(each.ranking), *silence(each.ranking))
    return [" ".join([first, *map(one_line, told)])]
