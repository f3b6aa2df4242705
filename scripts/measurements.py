"""The measured numbers of ``measurements/*.toml``, as README.md and the pages of docs/ show them.

A page of docs/ names a table, a text or a single number in two braces, and the site shows it there:

    {{ evaluation/encoder set=WebQSP }}
    RoK is right for {{ evaluation/encoder/MetaQA 2-hop/`rok`/Hits@1 }} of them.

README.md is read without the site. There a number stands between two comments, and this program
(``make docs``) writes it:

    <!--m evaluation/encoder/MetaQA 2-hop/`rok`/Hits@1-->92.5 %<!--/m-->

``measurements/README.md`` describes the data files.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
DATA = ROOT / "measurements"
README = ROOT / "README.md"
REFERENCE = re.compile(r"\{\{ (.+?) \}\}")
INLINE = re.compile(r"(<!--m (.+?)-->).*?(<!--/m-->)", re.DOTALL)


class MeasurementError(Exception):
    """A page or a data file names something that no data file has."""


@dataclass(frozen=True, slots=True)
class Run:
    """How a number came about."""

    command: str
    commit: str
    machine: str
    date: str


@dataclass(frozen=True, slots=True)
class Table:
    """Rows that belong together; ``runs`` has the run of each row."""

    columns: Sequence[str]
    formats: Sequence[str]
    rows: Sequence[Sequence[Any]]
    runs: Sequence[Run]
    names: int

    def shown(self, row: int) -> list[str]:
        """The cells of a row as pages show them."""
        pairs = zip(self.rows[row], self.formats, strict=True)
        return [cell if isinstance(cell, str) else format_.format(cell) for cell, format_ in pairs]

    def cell(self, path: Sequence[str]) -> str:
        """The cell that the names of its row and the name of its column lead to."""
        *names, column = path
        for number, row in enumerate(self.rows):
            if list(row[: self.names]) == names:
                if column not in self.columns:
                    raise MeasurementError(f"There is no column {column}: {list(self.columns)}.")
                return self.shown(number)[self.columns.index(column)]
        raise MeasurementError(f"There is no row {names}.")


@cache
def data(name: str) -> dict[str, Any]:
    """The data file of that name."""
    path = DATA / f"{name}.toml"
    if not path.is_file():
        raise MeasurementError(f"There is no data file {path.name} in {DATA.name}/.")
    return tomllib.loads(path.read_text(encoding="utf-8"))


def run(file: str, name: str) -> Run:
    """A run of a data file, with its machine in words."""
    found = data(file).get("runs", {}).get(name)
    if found is None:
        raise MeasurementError(f"{file}.toml has no run {name}.")
    return Run(
        found["command"],
        found["commit"],
        data("machines")["machines"][found["machine"]],
        str(found["date"]),
    )


def table(file: str, name: str) -> Table:
    """A table of a data file. Without ``run``, the first cell of each row names its run."""
    found = data(file)["tables"][name]
    rows = found["rows"]
    if "run" in found:
        runs = [run(file, found["run"])] * len(rows)
    else:
        runs = [run(file, row[0]) for row in rows]
        rows = [row[1:] for row in rows]
    columns = found["columns"]
    formats = found.get("formats", ["{}"] * len(columns))
    return Table(columns, formats, rows, runs, found.get("names", 1))


def readme() -> str:
    """README.md with all measured numbers as the data files have them."""
    text = README.read_text(encoding="utf-8")
    return INLINE.sub(lambda at: f"{at[1]}{shown(at[2])}{at[3]}", text)


def shown(reference: str) -> str:
    """What a page names: a number, or a table, a text or a list.

    Raises :class:`MeasurementError` for what no data file has.
    """
    file, _, name = reference.partition("/")
    return (
        inline(reference)
        if "/" in name or name in data(file).get("values", {})
        else block(reference)
    )


def inline(reference: str) -> str:
    """A single number: ``FILE/VALUE``, or ``FILE/TABLE/NAMES OF THE ROW/COLUMN``."""
    file, name, *path = reference.split("/")
    if path:
        return table(file, name).cell(path)
    found = data(file).get("values", {}).get(name)
    if found is None:
        raise MeasurementError(f"{file}.toml has no value {name}.")
    run(file, found["run"])
    value = found["value"]
    return value if isinstance(value, str) else found.get("format", "{}").format(value)


def block(reference: str) -> str:
    """A table, a text or a list, with a line that says how it was measured."""
    target, _, condition = reference.partition(" ")
    file, name = target.split("/")
    if name in data(file).get("tables", {}):
        return _table(table(file, name), condition)
    for kind, render in (("texts", str.strip), ("lists", _list)):
        found = data(file).get(kind, {}).get(name)
        if found is not None:
            return f"{render(found['is'])}\n\n{provenance([run(file, found['run'])])}"
    raise MeasurementError(f"{file}.toml has no table, text or list {name}.")


def provenance(runs: Iterable[Run]) -> str:
    """How the numbers above came about, in one line."""
    different = list(dict.fromkeys(runs))
    commands = dict.fromkeys(
        each.command if each.command.startswith("by hand") else f"`{each.command}`"
        for each in different
    )
    machines = dict.fromkeys(each.machine for each in different)
    commits = sorted({(each.date, each.commit) for each in different})
    by = "; ".join(commands)
    at = ", ".join(f"`{commit}` ({date})" for date, commit in commits)
    return f"*Measured: {by}. Commit {at}. Machine: {'; '.join(machines)}.*"


def _table(found: Table, condition: str) -> str:
    numbers = list(range(len(found.rows)))
    columns = list(range(len(found.columns)))
    if condition:
        column, _, value = condition.partition("=")
        at = found.columns.index(column)
        numbers = [number for number in numbers if found.rows[number][at] == value]
        columns.remove(at)
    if not numbers:
        raise MeasurementError(f"No row has {condition}.")
    lines = [[found.columns[at] for at in columns], ["---"] * len(columns)]
    lines += [[found.shown(number)[at] for at in columns] for number in numbers]
    rows = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    return f"{rows}\n\n{provenance(found.runs[number] for number in numbers)}"


def _list(items: Sequence[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


if __name__ == "__main__":
    README.write_text(readme(), encoding="utf-8")
