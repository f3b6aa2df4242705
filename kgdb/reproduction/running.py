"""Runs a table: each of its rows over each of its sets; what is answered is not asked again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
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
    Question,
    Selection,
    covered,
    differs,
    drawn,
    entities_named,
    mean_of,
    measure,
    read_dataset,
    read_rows,
    text_measures,
)
from kgdb.methods import Reasoner, Resources, create
from kgdb.progress import Event, Message, Progress, Report
from kgdb.reproduction.measures import Row, measured
from kgdb.reproduction.results import Result, RunResult
from kgdb.reproduction.spec import Column, QuestionSet, Reproduction, Run
from kgdb.wording import short

_MODELS_ALONE = frozenset({"llm", "cot"})


@dataclass(frozen=True, slots=True)
class Sample:
    """What is asked: ``data`` holds the question sets, ``folder`` gets a row for each question.

    ``limit`` questions of each set are drawn by ``seed``. ``gold_entities``: whether these are
    pointed out in the questions; ``None``: as the table sets it.
    """

    data: Path
    folder: Path
    limit: int | None = None
    seed: int = 0
    gold_entities: bool | None = None


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
        self._graphs: dict[str, KnowledgeGraph] = {}
        self._resources: dict[tuple[str, str | None], Resources] = {}

    def run(self, spec: Reproduction) -> Result:
        """The result of a table; a row that cannot be run says why."""
        gold_entities = self._gives_gold(spec)
        results: list[RunResult] = []
        first: Mapping[QuestionSet, Sequence[Row]] = {}
        for run in spec.runs:
            if needs := self._missing(run):
                results.append(RunResult(run, skipped=f"needs {needs}"))
                continue
            rows = {
                each: self._rows(spec, run, each, gold_entities=gold_entities) for each in spec.sets
            }
            first = first or rows
            results.append(
                RunResult(
                    run,
                    self._connection.models(run.llm or self._llm, self._encoder),
                    _means(spec, rows),
                    differing=_differing(spec, first, rows),
                )
            )
        named = [
            each.dataset
            for each in spec.sets
            if gold_entities and _names_entities(self._sets.get(each, ()))
        ]
        sample = self._sample
        return Result(spec, tuple(results), sample.limit, sample.seed, tuple(dict.fromkeys(named)))

    def _gives_gold(self, spec: Reproduction) -> bool:
        """Whether gold entities are given: as is said, or else as the table sets it."""
        said = self._sample.gold_entities
        return spec.gold_entities if said is None else said

    def _missing(self, run: Run) -> str | None:
        """What a row cannot do without and has not; a named model may be what it needs."""
        llm = run.llm or self._llm
        if run.needs and llm in (None, "none"):
            return run.needs
        return "a language model" if run.method in _MODELS_ALONE and llm == "none" else None

    def _rows(
        self, spec: Reproduction, run: Run, questions: QuestionSet, *, gold_entities: bool
    ) -> Sequence[Row]:
        graph = self._graph(questions)
        asked = self._asked(questions, graph)
        llm = run.llm or self._llm
        dialogue = any(isinstance(each, Question) and each.reference for each in asked)
        options = {**({"form": "text"} if dialogue else {}), **run.options}
        method = create(run.method, {name: _text(value) for name, value in options.items()})
        reasoner = Reasoner(method, self._resources_of(graph, llm))
        said = "".join(f", {name}={options[name]}" for name in sorted(options))
        # Of a set that names none, the runs of all tables are the same.
        gold_entities = gold_entities and _names_entities(asked)
        name = f"{run.method} on {graph.name}, {self._connection.models(llm, self._encoder)}, "
        name += f"{entities_named(gold_entities)}{said}"
        # One file for the same run of several tables: it is asked once.
        signature = sha256(name.encode()).hexdigest()[:8]
        file = f"{run.method}-{questions.title}-{signature}.jsonl"
        path = self._sample.folder / "rows" / file
        title = f"{spec.name}: {run.row}, {questions.title}"
        claims = any(isinstance(each, Claim) for each in asked)
        texts = text_measures(graph, asked)
        asking = Asking(reasoner, path, name, texts=texts, gold_entities=gold_entities)
        try:
            measure(asking, asked, _as_stage(title, self._connection.report))
        except UsageError as error:
            if not claims:
                raise
            self._connection.report(Message(f"{title}: {error.message}"))
            return []
        rows: Mapping[str, Row] = read_rows(path, ClaimRow if claims else AnswerRow, name)
        return [rows[each.id] for each in asked]

    def _graph(self, questions: QuestionSet) -> KnowledgeGraph:
        known = DATASETS[questions.dataset]
        if known.graph in self._graphs:
            return self._graphs[known.graph]
        if known.graph not in {info.name for info in self._connection.graphs()}:
            raise UsageError(
                f"The graph {short(known.graph)} of {questions.dataset} is not loaded.",
                hint=f"Load it: kgdb load {known.graph} {self._sample.data / known.source}",
            )
        self._graphs[known.graph] = self._connection.graph(known.graph)
        return self._graphs[known.graph]

    def _resources_of(self, graph: KnowledgeGraph, llm: str | None) -> Resources:
        """What methods need of a graph and a model, read once: no question is charged with it."""
        key = graph.name, llm
        if key not in self._resources:
            self._resources[key] = graph.reasoner(llm=llm, encoder=self._encoder).resources
            _ = graph.relations, self._resources[key].relation_vectors
        return self._resources[key]

    def _asked(self, questions: QuestionSet, graph: KnowledgeGraph) -> Asked:
        if questions not in self._sets:
            hops = (questions.hops,) if questions.hops else ()
            sets = read_dataset(questions.dataset, self._sample.data, Selection(hops=hops))
            (asked,) = sets.values()
            if questions.covered:
                self._connection.report(Message(f"{questions.title}: what {graph.name} covers"))
                asked = covered(graph, asked)
            self._sets[questions] = drawn(asked, self._sample.limit, self._sample.seed)
        return self._sets[questions]


def _names_entities(asked: Asked) -> bool:
    return any(each.entities for each in asked)


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
    if column.measure is None:
        return []
    of_sets = [row for each in column.sets for row in rows.get(each, ())]
    return measured(of_sets, column.measure, column.kind)


def _text(value: object) -> str:
    """An option as the command line writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _as_stage(title: str, report: Report) -> Report:
    def told(event: Event) -> None:
        report(replace(event, stage=title) if isinstance(event, Progress) else event)

    return told
