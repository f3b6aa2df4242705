"""Runs a table: each of its rows over each of its sets; what is answered is not asked again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from kgdb.connection import Connection, KnowledgeGraph
from kgdb.errors import TooManyErrors, UsageError
from kgdb.evaluation import (
    ANSWERS,
    AnswerRow,
    Asked,
    Asking,
    Claim,
    ClaimRow,
    Selection,
    covered,
    drawn,
    measure,
    read_dataset,
    read_rows,
)
from kgdb.lab.intervals import Mean, differs, mean_of
from kgdb.lab.ranking import Judge
from kgdb.lab.reproduction.ranking import SetRanking, ranked_rows
from kgdb.lab.reproduction.row_files import RowFiles, has_rows
from kgdb.lab.reproduction.spec import Column, QuestionSet, Reproduction, Run
from kgdb.lab.reproduction.table_measures import Row, measured
from kgdb.lab.reproduction.table_results import Result, RunResult
from kgdb.lab.texts import ALL_SETS, DialogueQuestion, DialogueRow, text_measures
from kgdb.language import without_adapter
from kgdb.methods import Reasoner, Resources, create
from kgdb.progress import Event, Message, Progress, Report
from kgdb.wording import short

_MODELS_ALONE = frozenset({"llm", "cot"})
_ASKING = frozenset({"llm", "read"})
"""Values of options that have the language model do something."""

_SetRows = Mapping[QuestionSet, Sequence[Row]]


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
        judge: Judge | None = None,
    ) -> None:
        self._connection = connection
        self._sample = sample
        self._judge = judge
        self._llm = llm
        self._encoder = encoder
        self._sets: dict[QuestionSet, Asked] = {}
        self._graphs: dict[str, KnowledgeGraph] = {}
        self._resources: dict[tuple[str, str | None], Resources] = {}

    def run(self, spec: Reproduction) -> Result:
        """The result of a table; a row that cannot be run says why.

        What other models reached before on the same questions, in the same folder, stands beside
        what is asked now. A run of which too many questions end in an error stops, and the others
        go on; the next call resumes it.
        """
        gold = self._gives_gold(spec)
        reached: list[_Reached] = []
        for run in spec.runs:
            needs, stopped = self._missing(run), ""
            models = self._connection.models(run.llm or self._llm, self._encoder)
            of_models = self._kept(spec, run, gold)
            if not needs:
                of_models.pop(models, None)
                try:
                    of_models[models] = {
                        each: self._rows(spec, run, each, gold) for each in spec.sets
                    }
                except TooManyErrors as error:
                    stopped = error.message
            if models in of_models and (errors := _only_errors(of_models[models])):
                del of_models[models]
                stopped = f"every question ended in an error; the last one: {errors[-1]}"
            # Sorted, so that it does not matter which models were asked last.
            reached += [_Reached(run, name, of_models[name]) for name in sorted(of_models)]
            if stopped or (needs and not of_models):
                reached.append(_Reached(run, models, needs=needs, stopped=stopped))
        rankings = self._rank(spec, reached)
        first: dict[str, _Reached] = {}
        for each in reached:
            if each.rows:
                first.setdefault(each.models, each)
        results = []
        for each in reached:
            leading = first.get(each.models, each)
            if each.run.llm or leading is each:
                leading = next(iter(first.values()), each)
            results.append(each.result(spec, leading.rows))
        named = [
            each.dataset for each in spec.sets if gold and _names_entities(self._sets.get(each, ()))
        ]
        sample = self._sample
        return Result(
            spec,
            tuple(results),
            sample.limit,
            sample.seed,
            tuple(dict.fromkeys(named)),
            tuple(rankings),
        )

    def _rank(self, spec: Reproduction, reached: list[_Reached]) -> list[SetRanking]:
        """Give the rows of dialogues their ranks, where a column asks for them.

        Rows of the same models are ranked among themselves, as in a paper; one that names its own
        model is ranked with those of the models that are asked now. A judge that fails leaves its
        set without ranks.
        """
        if self._judge is None:
            return []
        asked_now = self._connection.models(self._llm, self._encoder)
        groups: dict[str, list[int]] = {}
        for place, each in enumerate(reached):
            if each.rows:
                groups.setdefault(asked_now if each.run.llm else each.models, []).append(place)
        rankings = []
        for models, places in groups.items():
            for questions in spec.ranked_sets if len(places) > 1 else ():
                rows = {reached[place].run.row: reached[place].rows[questions] for place in places}
                title = f"{spec.name}: {self._judge.name}, {questions.title}"
                try:
                    with_ranks, ranking = ranked_rows(
                        self._judge,
                        [
                            each
                            for each in self._asked(questions)
                            if isinstance(each, DialogueQuestion)
                        ],
                        rows,
                        self._sample.folder / "rows" / f"{questions.title}.jsonl",
                        _as_stage(title, self._connection.report),
                    )
                except TooManyErrors as error:
                    rankings.append(SetRanking(questions, models, stopped=error.message))
                    continue
                rankings.append(SetRanking(questions, models, ranking))
                for place in places:
                    each = reached[place]
                    of_set = {questions: with_ranks[each.run.row]}
                    reached[place] = replace(each, rows={**each.rows, **of_set})
        return rankings

    def _gives_gold(self, spec: Reproduction) -> bool:
        """Whether gold entities are given: as is said, or else as the table sets it."""
        said = self._sample.gold_entities
        return spec.gold_entities if said is None else said

    def _missing(self, run: Run) -> str:
        """What a row cannot do without and has not; a named model may be what it needs."""
        llm = run.llm or self._llm
        if run.needs and (llm in (None, "none") or not _suits(run, llm)):
            return run.needs
        return "" if llm is None or _suits(run, llm) else "a language model"

    def _kept(self, spec: Reproduction, run: Run, gold: bool) -> dict[str, _SetRows]:
        """By their models, the rows of a run that has answered every question of every set."""
        folder = self._sample.folder / "rows"
        if not all(has_rows(folder, run.method, questions) for questions in spec.sets):
            return {}
        files = [self._files(run, questions, gold) for questions in spec.sets]
        if run.llm or not files:
            return {}
        found: dict[str, _SetRows] = {}
        for models in set.intersection(*(set(each.models()) for each in files)):
            rows = {each.questions: self._read(each, models) for each in files}
            whole = all(len(rows[each]) == len(self._asked(each)) for each in spec.sets)
            whole = whole and _suits(run, models.partition(", ")[0].removeprefix("llm "))
            if whole and not _only_errors(rows):
                found[models] = rows
        return found

    def _files(self, run: Run, questions: QuestionSet, gold: bool) -> RowFiles:
        """Where the rows of a run over a set are."""
        asked = self._asked(questions)
        dialogue = _is_of_dialogues(asked)
        return RowFiles(
            self._sample.folder / "rows",
            run.method,
            questions,
            ALL_SETS[questions.dataset].graph,
            # Of a set that names none, the runs of all tables are the same.
            gold and _names_entities(asked),
            {**({"form": "text"} if dialogue else {}), **run.options},
        )

    def _read(self, files: RowFiles, models: str) -> Sequence[Row]:
        """The rows that there are, in the order of the questions."""
        asked = self._asked(files.questions)
        claims = any(isinstance(each, Claim) for each in asked)
        of_questions = DialogueRow if _is_of_dialogues(asked) else AnswerRow
        rows: Mapping[str, Row] = read_rows(
            files.path(models), ClaimRow if claims else of_questions, files.name(models)
        )
        return [rows[each.id] for each in asked if each.id in rows]

    def _rows(
        self, spec: Reproduction, run: Run, questions: QuestionSet, gold: bool
    ) -> Sequence[Row]:
        graph = self._graph(questions)
        asked = self._asked(questions)
        llm = run.llm or self._llm
        files = self._files(run, questions, gold)
        method = create(run.method, {name: _text(value) for name, value in files.options.items()})
        reasoner = Reasoner(method, self._resources_of(graph, llm))
        models = self._connection.models(llm, self._encoder)
        title = f"{spec.name}: {run.row}, {questions.title}"
        texts = text_measures(graph, asked)
        asking = Asking(
            reasoner,
            files.path(models),
            files.name(models),
            measures=texts.measures() if texts else ANSWERS,
            gold_entities=files.gold_entities,
        )
        try:
            measure(asking, asked, _as_stage(title, self._connection.report))
        except UsageError as error:
            if not any(isinstance(each, Claim) for each in asked):
                raise
            self._connection.report(Message(f"{title}: {error.message}"))
            return []
        return self._read(files, models)

    def _graph(self, questions: QuestionSet) -> KnowledgeGraph:
        known = ALL_SETS[questions.dataset]
        if known.graph in self._graphs:
            return self._graphs[known.graph]
        if known.graph not in {info.name for info in self._connection.graphs()}:
            raise UsageError(
                f"The graph {short(known.graph)} of {questions.dataset} is not loaded.",
                hint=f"Load it: {known.load_command(self._sample.data)}",
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

    def _asked(self, questions: QuestionSet) -> Asked:
        if questions not in self._sets:
            hops = (questions.hops,) if questions.hops else ()
            sets = read_dataset(
                questions.dataset, self._sample.data, Selection(hops=hops), ALL_SETS
            )
            (asked,) = sets.values()
            if questions.covered:
                graph = self._graph(questions)
                self._connection.report(Message(f"{questions.title}: what {graph.name} covers"))
                asked = covered(graph, asked)
            self._sets[questions] = drawn(asked, self._sample.limit, self._sample.seed)
        return self._sets[questions]


def _suits(run: Run, llm: str) -> bool:
    """Whether a language model can do what a row is about: it is there, or has an adapter."""
    if run.adapter and without_adapter(llm) is None:
        return False
    asked = run.method in _MODELS_ALONE or not _ASKING.isdisjoint(map(str, run.options.values()))
    return llm != "none" or run.without_model or not asked


def _is_of_dialogues(asked: Asked) -> bool:
    return any(isinstance(each, DialogueQuestion) for each in asked)


def _names_entities(asked: Asked) -> bool:
    return any(each.entities for each in asked)


@dataclass(frozen=True, slots=True)
class _Reached:
    """The rows of a run by some models; without rows, what it ``needs`` or what ``stopped`` it."""

    run: Run
    models: str
    rows: _SetRows = field(default_factory=dict)
    needs: str = ""
    stopped: str = ""

    def result(self, spec: Reproduction, leading: _SetRows) -> RunResult:
        """Its scores, and how they differ from those of the leading rows."""
        if not self.rows:
            skipped = f"needs {self.needs}" if self.needs else self.stopped
            return RunResult(self.run, self.models, skipped=skipped, stopped=bool(self.stopped))
        errors = _errors(self.rows)
        return RunResult(
            self.run,
            self.models,
            _means(spec, self.rows),
            differing=_differing(spec, leading, self.rows),
            errors=len(errors),
            first_error=errors[0] if errors else None,
        )


def _errors(rows: _SetRows) -> list[str]:
    return [row.error for of_set in rows.values() for row in of_set if row.error]


def _only_errors(rows: _SetRows) -> list[str]:
    """The errors, if every question ended in one: then there is no score, not one of zero."""
    errors = _errors(rows)
    return errors if len(errors) == sum(map(len, rows.values())) else []


def _means(spec: Reproduction, rows: _SetRows) -> dict[str, Mean]:
    means = {}
    for column in spec.columns:
        values = _values(column, rows)
        if values:
            means[column.title] = mean_of(values)
    return means


def _differing(
    spec: Reproduction,
    first: _SetRows,
    rows: _SetRows,
) -> dict[str, float]:
    found = {}
    for column in spec.columns:
        pair = [_values(column, each) for each in (first, rows)]
        if pair[0] and len(pair[0]) == len(pair[1]):
            found[column.title] = differs(*pair)
    return found


def _values(column: Column, rows: _SetRows) -> list[float]:
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
