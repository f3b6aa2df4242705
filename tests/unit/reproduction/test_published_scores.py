"""The data files of tables and figures: complete, of one form, with runs that kgdb accepts."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from kgdb.errors import UsageError
from kgdb.methods import all_methods, create

pytestmark = pytest.mark.unit

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"
FILES = {path.stem: path for path in sorted((BENCHMARKS / "reproductions").glob("*.toml"))}

EXPECTED = {
    *(f"refkg-table-{number}" for number in (2, 3, 4, 5, 7, 8, 9, 10)),
    *(f"refkg-figure-{number}" for number in (4, 5)),
    *(f"gotr-table-{number}" for number in (2, 3, 4)),
    *(f"gotr-figure-{number}" for number in ("3", "4a", "4b", "4c")),
    *(f"rok-table-{number}" for number in (2, 3, 4)),
    "rok-calls",
}

DATASETS = {
    *("metaqa", "webqsp", "cwq", "webquestions", "factkg"),
    *("genmedgpt", "cmcqa", "simplequestions"),
}
MEASURES = {
    *("hits_at_1", "hit", "exact", "f1", "accuracy", "accuracy_of_decided", "evidence_hit"),
    *("calls", "seconds", "triples", "round_trips", "tokens", "unanswered"),
    *("bertscore_precision", "bertscore_recall", "bertscore_f1"),
    *("disease", "medication", "test", "key_entities", "rank"),
    *("lost_mention", "lost_retrieval", "lost_refinement", "lost_reading"),
    *("noise_retrieved", "noise_refined", "retrieval_introduced", "retrieval_correct"),
    *("refinement_introduced", "refinement_reduced", "refinement_correct"),
}
CLAIM_KINDS = ("One-hop", "Conjunction", "Existence", "Multi-hop", "Negation")
KINDS = {*CLAIM_KINDS, *(f"{hops}-hop" for hops in (1, 2, 3, 4))}

KEYS = {
    "file": {
        "title",
        "paper",
        "plot",
        "gold_entities",
        "about",
        "needs",
        "columns",
        "published",
        "runs",
        "expected",
    },
    "columns": {"title", "dataset", "hops", "covered", "measure", "kind", "scale"},
    "published": {"row", "values"},
    "runs": {
        "row",
        "method",
        "options",
        "llm",
        "beside",
        "x",
        "series",
        "needs",
        "adapter",
        "without_model",
    },
}


def read(name: str) -> dict[str, Any]:
    return tomllib.loads(FILES[name].read_text(encoding="utf-8"))


def problems(spec: Mapping[str, Any]) -> list[str]:
    """What is wrong with a data file, each as a sentence."""
    return [*_missing(spec), *_columns(spec), *_published(spec), *_runs(spec)]


def _missing(spec: Mapping[str, Any]) -> Iterator[str]:
    for key in ("title", "paper", "about", "columns"):
        if not spec.get(key):
            yield f"no {key}"
    if not spec.get("runs") and not spec.get("needs"):
        yield "neither runs nor needs"
    if spec.get("plot") not in ("bars", "lines"):
        yield f"unknown plot {spec.get('plot')}"
    yield from _unknown_keys("file", [spec])
    for part in ("columns", "published", "runs"):
        yield from _unknown_keys(part, spec.get(part, []))


def _unknown_keys(part: str, entries: list[Mapping[str, Any]] | list[Any]) -> Iterator[str]:
    for key in sorted({key for entry in entries for key in entry} - KEYS[part]):
        yield f"unknown key {key}"


def _columns(spec: Mapping[str, Any]) -> Iterator[str]:
    columns = spec.get("columns", [])
    yield from _repeated("column", [column.get("title") for column in columns])
    published = {title for row in spec.get("published", []) for title in row.get("values", {})}
    for column in columns:
        title = column.get("title")
        if column.get("dataset") not in DATASETS:
            yield f"{title}: unknown dataset {column.get('dataset')}"
        if "hops" in column and (
            column.get("dataset") != "metaqa" or column["hops"] not in (1, 2, 3)
        ):
            yield f"{title}: hops are 1 to 3 hops of metaqa"
        if "kind" in column and column["kind"] not in KINDS:
            yield f"{title}: unknown kind {column['kind']}"
        if "measure" not in column:
            # Such a column shows published scores alone.
            if title not in published:
                yield f"{title}: neither measured nor published"
        elif column["measure"] not in MEASURES:
            yield f"{title}: unknown measure {column['measure']}"
        elif not column.get("scale", 0) > 0:
            yield f"{title}: no scale"


def _published(spec: Mapping[str, Any]) -> Iterator[str]:
    titles = {column.get("title") for column in spec.get("columns", [])}
    rows = spec.get("published", [])
    yield from _repeated("published row", [row.get("row") for row in rows])
    for row in rows:
        if not row.get("values"):
            yield f"{row.get('row')}: no values"
        for title, value in row.get("values", {}).items():
            if title not in titles:
                yield f"{row.get('row')}: unknown column {title}"
            if not isinstance(value, int | float):
                yield f"{row.get('row')}: {title} is no number"


def _runs(spec: Mapping[str, Any]) -> Iterator[str]:
    published = {row.get("row") for row in spec.get("published", [])}
    runs = spec.get("runs", [])
    yield from _repeated("run", [run.get("row") for run in runs])
    for run in runs:
        row = run.get("row")
        if "beside" in run and run["beside"] not in published:
            yield f"{row}: unknown published row {run['beside']}"
        if {"x", "series"} & set(run) != (
            {"x", "series"} if spec.get("plot") == "lines" else set()
        ):
            yield f"{row}: x and series belong to lines"
        if run.get("method") not in all_methods():
            yield f"{row}: unknown method {run.get('method')}"
            continue
        try:
            create(
                run["method"],
                {key: as_text(value) for key, value in run.get("options", {}).items()},
            )
        except UsageError as error:
            yield f"{row}: {error}"


def _repeated(what: str, names: list[Any]) -> Iterator[str]:
    for name, times in Counter(names).items():
        if times > 1 or not name:
            yield f"{what} {name} {times} times"


def as_text(value: object) -> str:
    """A value of TOML as ``--set`` takes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_every_table_and_figure_has_its_file() -> None:
    assert set(FILES) == EXPECTED


@pytest.mark.parametrize("name", FILES)
def test_a_file_has_no_problems(name: str) -> None:
    assert problems(read(name)) == []


@pytest.mark.parametrize("name", FILES)
def test_a_title_names_the_paper_and_the_number(name: str) -> None:
    paper, *place = name.split("-")
    said = read(name)["title"].partition(":")[0]
    words = re.sub(r"[^\w]", "", said).lower()
    assert words.startswith({"gotr": "gotr", "refkg": "refkg", "rok": "rok"}[paper])
    if place != ["calls"]:
        assert words.endswith("".join(place))


@pytest.mark.parametrize("name", FILES)
def test_shares_are_shares_and_published_shares_are_per_cent(name: str) -> None:
    spec = read(name)
    shares = {column["title"] for column in spec["columns"] if column.get("scale", 1) == 100}
    for row in spec.get("published", []):
        for title in shares & set(row["values"]):
            assert 1 <= row["values"][title] <= 100, (row["row"], title)


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "no title": lambda spec: spec.pop("title"),
    "no columns": lambda spec: spec.update(columns=[]),
    "neither runs nor needs": lambda spec: spec.update(runs=[]),
    "unknown plot pie": lambda spec: spec.update(plot="pie"),
    "unknown key expect": lambda spec: spec["runs"][0].update(expect=3),
    "column 2-hop 2 times": lambda spec: spec["columns"][0].update(title="2-hop"),
    "1-hop: unknown dataset metaQA": lambda spec: spec["columns"][0].update(dataset="metaQA"),
    "1-hop: hops are 1 to 3 hops of metaqa": lambda spec: spec["columns"][0].update(dataset="cwq"),
    "1-hop: unknown kind Two-hop": lambda spec: spec["columns"][0].update(kind="Two-hop"),
    "1-hop: unknown measure hits": lambda spec: spec["columns"][0].update(measure="hits"),
    "1-hop: no scale": lambda spec: spec["columns"][0].pop("scale"),
    "4-hop: neither measured nor published": lambda spec: spec["columns"].append(
        {"title": "4-hop", "dataset": "metaqa"}
    ),
    "KVMemNN: unknown column 4-hop": lambda spec: spec["published"][0]["values"].update(
        {"4-hop": 1}
    ),
    "KVMemNN: 1-hop is no number": lambda spec: spec["published"][0]["values"].update(
        {"1-hop": "x"}
    ),
    "RefKG: unknown published row RefKG (theirs)": lambda spec: spec["runs"][0].update(
        beside="RefKG (theirs)"
    ),
    "RefKG: x and series belong to lines": lambda spec: spec["runs"][0].update(x=1, series="RefKG"),
    "RefKG: unknown method refKG": lambda spec: spec["runs"][0].update(method="refKG"),
    "There is no option 'top_k' of the method refkg": lambda spec: spec["runs"][0].update(
        options={"top_k": 5}
    ),
    "width is 99; expected": lambda spec: spec["runs"][0].update(options={"width": 99}),
}


@pytest.mark.parametrize("said", CHANGES)
def test_a_wrong_file_is_found(said: str) -> None:
    spec = deepcopy(read("refkg-table-4"))
    CHANGES[said](spec)
    assert any(said in problem for problem in problems(spec)), problems(spec)


def test_lines_need_x_and_series() -> None:
    spec = read("refkg-figure-5")
    del spec["runs"][0]["x"]
    assert len(problems(spec)) == 1
