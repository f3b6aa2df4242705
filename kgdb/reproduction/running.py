"""Runs a table: each of its rows over each of its sets; what is answered is not asked again."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kgdb.connection import Connection, KnowledgeGraph
from kgdb.errors import UsageError
from kgdb.evaluation import (
    DATASETS,
    AnswerRow,
    Asked,
    Asking,
    Claim,
    ClaimRow,
    Mean,
    Selection,
    covered,
    differs,
    drawn,
    mean_of,
    measure,
    read_dataset,
    read_rows,
    text_measures,
)
from kgdb.methods import create
from kgdb.progress import Event, Message, Progress, Report
from kgdb.reproduction.measures import Row, measured
from kgdb.reproduction.results import Result, RunResult
from kgdb.reproduction.spec import Column, QuestionSet, Reproduction, Run
from kgdb.wording import short

_NO_FILE_NAME = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, slots=True)
class Sample:
    """What is asked: ``data`` holds the question sets, ``folder`` gets a row for each question.

    ``limit`` questions of each set are drawn by ``seed``. ``mentions_given``: gold entities are
    pointed out in the questions.
    """

    data: Path
    folder: Path
    limit: int | None = None
    seed: int = 0
    mentions_given: bool = True


class Runner:
    """Runs tables over one connection; question sets and models are read once."""

    def __init__(
        self,
        connection: Connection,
        sample: Sample,
        *,
        llm: str | None = None,
        encoder: str | None = None,
    ) -> None:
        self._connection = connection
        self._sample = sample
        self._llm = llm
        self._encoder = encoder
        self._sets: dict[QuestionSet, Asked] = {}

    def run(self, spec: Reproduction) -> Result:
        """The result of a table; a row that cannot be run says why."""
        results: list[RunResult] = []
        first: Mapping[QuestionSet, Sequence[Row]] = {}
        for run in spec.runs:
            if run.needs and (run.llm or self._llm) in (None, "none"):
                results.append(RunResult(run, skipped=f"needs {run.needs}"))
                continue
            rows = {each: self._rows(spec, run, each) for each in spec.sets}
            first = first or rows
            results.append(
                RunResult(
                    run,
                    self._connection.models(run.llm or self._llm, self._encoder),
                    _means(spec, rows),
                    differing=_differing(spec, first, rows),
                )
            )
        return Result(spec, tuple(results), self._sample.limit, self._sample.seed)

    def _rows(self, spec: Reproduction, run: Run, questions: QuestionSet) -> Sequence[Row]:
        graph = self._graph(questions)
        asked = self._asked(questions, graph)
        llm = run.llm or self._llm
        method = create(run.method, {name: _text(value) for name, value in run.options.items()})
        reasoner = graph.reasoner(method, llm=llm, encoder=self._encoder)
        # Read once for a graph: no question is to be charged with it.
        _ = graph.relations, reasoner.resources.relation_vectors
        options = "".join(f", {name}={run.options[name]}" for name in sorted(run.options))
        mentions = "mentions given" if self._sample.mentions_given else "mentions found"
        name = f"{run.method} on {graph.name}, {self._connection.models(llm, self._encoder)}, "
        name += f"{mentions}{options}"
        path = self._sample.folder / spec.name / f"{_file_name(run.row)}-{questions.title}.jsonl"
        title = f"{spec.name}: {run.row}, {questions.title}"
        measured = text_measures(graph, asked)
        measure(
            Asking(reasoner, path, name, texts=measured),
            asked,
            _as_stage(title, self._connection.report),
        )
        rows: Mapping[str, Row]
        if any(isinstance(each, Claim) for each in asked):
            rows = read_rows(path, ClaimRow, name)
        else:
            rows = read_rows(path, AnswerRow, name)
        return [rows[each.id] for each in asked]

    def _graph(self, questions: QuestionSet) -> KnowledgeGraph:
        known = DATASETS[questions.dataset]
        if known.graph not in {info.name for info in self._connection.graphs()}:
            raise UsageError(
                f"The graph {short(known.graph)} of {questions.dataset} is not loaded.",
                hint=f"Load it: kgdb load {known.graph} {self._sample.data / known.source}",
            )
        return self._connection.graph(known.graph)

    def _asked(self, questions: QuestionSet, graph: KnowledgeGraph) -> Asked:
        if questions not in self._sets:
            hops = (questions.hops,) if questions.hops else ()
            selection = Selection(hops=hops, mentions_given=self._sample.mentions_given)
            (asked,) = read_dataset(questions.dataset, self._sample.data, selection).values()
            if questions.covered:
                self._connection.report(Message(f"{questions.title}: what {graph.name} covers"))
                asked = covered(graph, asked)
            self._sets[questions] = drawn(asked, self._sample.limit, self._sample.seed)
        return self._sets[questions]


def _means(spec: Reproduction, rows: Mapping[QuestionSet, Sequence[Row]]) -> dict[str, Mean]:
    means = {}
    for column in spec.columns:
        values = _values(column, rows)
        if values:
            means[column.title] = mean_of(values)
    return means


def _differing(
    spec: Reproduction,
    first: Mapping[QuestionSet, Sequence[Row]],
    rows: Mapping[QuestionSet, Sequence[Row]],
) -> dict[str, float]:
    found = {}
    for column in spec.columns:
        pair = [_values(column, each) for each in (first, rows)]
        if pair[0] and len(pair[0]) == len(pair[1]):
            found[column.title] = differs(*pair)
    return found


def _values(column: Column, rows: Mapping[QuestionSet, Sequence[Row]]) -> list[float]:
    of_sets = [row for each in column.sets for row in rows[each]]
    return measured(of_sets, column.measure, column.kind)


def _text(value: object) -> str:
    """An option as the command line writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _file_name(row: str) -> str:
    return _NO_FILE_NAME.sub("-", row).strip("-").lower()


def _as_stage(title: str, report: Report) -> Report:
    def told(event: Event) -> None:
        report(replace(event, stage=title) if isinstance(event, Progress) else event)

    return told
