"""A table or figure of a paper as a TOML file: its columns, the published rows, and our runs."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, Self, TypeVar, get_args

from kgdb import shipped_files
from kgdb.errors import UsageError
from kgdb.evaluation import HOPS
from kgdb.lab.reproduction.table_measures import JUDGED, MEASURES
from kgdb.lab.texts import ALL_SETS, DIALOGUES
from kgdb.methods import all_methods
from kgdb.wording import short

Plot = Literal["bars", "lines"]

_T = TypeVar("_T")


def _near(name: str, known: Iterable[str]) -> str:
    found = get_close_matches(name, list(known), n=1)
    return f" Did you mean {found[0]}?" if found else ""


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """A set that columns are measured on: ``hops`` for MetaQA, ``covered`` by its graph."""

    dataset: str
    hops: int | None = None
    covered: bool = False

    @property
    def title(self) -> str:
        """A short name, also for files: ``metaqa-2``."""
        parts = [self.dataset, *([str(self.hops)] if self.hops else ())]
        return "-".join([*parts, "covered"] if self.covered else parts)


@dataclass(frozen=True, slots=True)
class Column:
    """A measure on a set, or published scores alone; ``kind``: of questions of this kind alone.

    MetaQA without ``hops`` is all three lengths. Shares are shown times ``scale``.
    """

    title: str
    dataset: str
    measure: str | None = None
    hops: int | None = None
    covered: bool = False
    kind: str | None = None
    scale: float = 100.0

    @property
    def decimals(self) -> int:
        """How many decimals of its scores are shown: as many as papers print."""
        measure = self.measure or ""
        return 3 if measure.startswith("bertscore") else 2 if measure in JUDGED else 1

    @property
    def sets(self) -> tuple[QuestionSet, ...]:
        """The sets that it is measured on, together."""
        lengths = HOPS if self.dataset == "metaqa" and self.hops is None else (self.hops,)
        return tuple(QuestionSet(self.dataset, hops, self.covered) for hops in lengths)


@dataclass(frozen=True, slots=True)
class Published:
    """A row as the paper prints it, by the titles of columns."""

    row: str
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Run:
    """One of our rows: a method with options, and the published row that it stands ``beside``.

    ``llm`` is set where it makes the row what it is; elsewhere the user chooses. Of a plot with
    lines, the point is at ``x`` of ``series``. ``needs`` says what the row cannot do without;
    with ``adapter`` that is a language model with a LoRA adapter, and no other will do. A row whose
    options have a language model do something is run ``without_model`` only if it says so: what its
    columns measure is there without one, too.
    """

    row: str
    method: str
    options: Mapping[str, Any] = field(default_factory=dict)
    llm: str | None = None
    beside: str | None = None
    x: float | None = None
    series: str | None = None
    needs: str | None = None
    adapter: bool = False
    without_model: bool = False


@dataclass(frozen=True, slots=True)
class Expected:
    """Our own scores, by row and column, which come again within ``tolerance``.

    They are of ``limit`` questions a set, drawn by ``seed``, answered by these ``models``.
    """

    limit: int
    seed: int
    models: str
    scores: Mapping[str, Mapping[str, float]]
    tolerance: float = 5.0


@dataclass(frozen=True, slots=True)
class Reproduction:
    """A table or figure; ``about`` says what our rows differ in, ``needs`` why none can be run.

    ``gold_entities``: the paper gives a method the entities that a set names, so our rows get them.
    """

    name: str
    title: str
    paper: str
    columns: tuple[Column, ...]
    published: tuple[Published, ...]
    runs: tuple[Run, ...]
    about: str = ""
    plot: Plot = "bars"
    needs: str | None = None
    expected: Expected | None = None
    gold_entities: bool = False

    @property
    def sets(self) -> tuple[QuestionSet, ...]:
        """The sets of its columns, each once."""
        measured = [column for column in self.columns if column.measure]
        return tuple(dict.fromkeys(each for column in measured for each in column.sets))

    @property
    def ranked_sets(self) -> tuple[QuestionSet, ...]:
        """The sets of those columns that a judge must rank, each once."""
        judged = [column for column in self.columns if column.measure in JUDGED]
        return tuple(dict.fromkeys(each for column in judged for each in column.sets))

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a file; raises :class:`UsageError`, which names the key that is wrong."""
        try:
            given = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise UsageError(f"{path} cannot be read: {error}.") from error
        reader = _Reader(path)
        columns = reader.each(Column, given.pop("columns", []), "columns")
        published = reader.each(Published, given.pop("published", []), "published")
        runs = reader.each(Run, given.pop("runs", []), "runs")
        if "expected" in given:
            given["expected"] = reader.one(Expected, given["expected"], "expected")
        found = reader.one(
            cls,
            {**given, "name": path.stem, "columns": columns, "published": published, "runs": runs},
            "the file",
        )
        reader.check(found)
        return found


def reproductions(folder: Path | None = None) -> dict[str, Reproduction]:
    """All that ship, or those of a folder, by their names."""
    folder = folder or shipped_files.reproductions()
    return {path.stem: Reproduction.read(path) for path in sorted(folder.glob("*.toml"))}


def chosen(names: Sequence[str], known: Mapping[str, Reproduction]) -> list[Reproduction]:
    """Those of the names; raises :class:`UsageError` for one that does not exist."""
    for name in names:
        if name not in known:
            raise UsageError(
                f"There is no table or figure {short(name)}.{_near(name, known)}",
                hint="kgdb lab reproduce --list shows all.",
            )
    return [known[name] for name in dict.fromkeys(names)]


class _Reader:
    """Makes values of the tables of one file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def each(self, kind: type[_T], tables: Any, where: str) -> tuple[_T, ...]:
        if not isinstance(tables, list):
            raise self._wrong(f"{where} is no list of tables; write [[{where}]]")
        return tuple(
            self.one(kind, table, f"{where} {number}") for number, table in enumerate(tables, 1)
        )

    def one(self, kind: type[_T], values: Any, where: str) -> _T:
        known = {each.name: each for each in fields(kind)}  # type: ignore[arg-type]
        if not isinstance(values, Mapping):
            raise self._wrong(f"{where} is no table")
        for name in values:
            if name not in known:
                raise self._wrong(f"{where} has a key {short(name)}.{_near(name, known)}")
        for name, each in known.items():
            required = each.default is MISSING and each.default_factory is MISSING
            if required and name not in values:
                raise self._wrong(f"{where} has no {name}")
        return kind(**values)

    def check(self, found: Reproduction) -> None:
        titles = [column.title for column in found.columns]
        if len(set(titles)) < len(titles):
            raise self._wrong("two columns have one title")
        if not found.needs and not (found.columns and found.runs):
            raise self._wrong("it has neither runs with columns, nor what it needs")
        self._among(found.plot, get_args(Plot), "plot")
        if not isinstance(found.gold_entities, bool):
            given = short(str(found.gold_entities))
            raise self._wrong(f"gold_entities is {given}; expected true or false")
        for column in found.columns:
            self._check_column(column)
        if len({run.row for run in found.runs}) < len(found.runs):
            raise self._wrong("two runs have one row")
        published = {each.row for each in found.published}
        for each in found.published:
            self._all_among(each.values, titles, f"values of {short(each.row)}")
        for run in found.runs:
            self._among(run.method, all_methods(), "method")
            if run.beside is not None:
                self._among(run.beside, published, "beside")
            if run.adapter and not run.needs:
                raise self._wrong(f"run {short(run.row)} has adapter, but no needs to say so")

        if found.expected:
            self._all_among(found.expected.scores, [run.row for run in found.runs], "expected row")
            for row, scores in found.expected.scores.items():
                self._all_among(scores, titles, f"expected of {short(row)}")

    def _check_column(self, column: Column) -> None:
        self._among(column.dataset, ALL_SETS, "dataset")
        if column.measure is not None:
            self._among(column.measure, MEASURES, "measure")
        if column.measure in JUDGED:
            self._among(column.dataset, DIALOGUES, f"dataset of {column.measure}")
        if column.hops is not None and (column.dataset != "metaqa" or column.hops not in HOPS):
            raise self._wrong(f"column {short(column.title)} has hops {column.hops}")

    def _all_among(self, names: Iterable[str], known: Iterable[str], what: str) -> None:
        for name in names:
            self._among(name, known, what)

    def _among(self, name: Any, known: Iterable[str], what: str) -> None:
        if name not in known:
            raise self._wrong(f"{what} is {short(name)}; expected one of {', '.join(known)}")

    def _wrong(self, what: str) -> UsageError:
        return UsageError(f"{self._path}: {what}.")
