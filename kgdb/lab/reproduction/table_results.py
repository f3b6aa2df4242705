"""What the runs of a table reached."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from kgdb.evaluation import entities_named
from kgdb.lab.intervals import Mean
from kgdb.lab.reproduction.ranking import SetRanking
from kgdb.lab.reproduction.spec import Reproduction, Run
from kgdb.lab.reproduction.table_measures import JUDGED, VARYING

_BETWEEN = ", "  # the parts of what answers, as a connection names it

Standing = Literal["ok", "near", "fail", "new"]
"""How a score stands to the expected one: within the tolerance, within twice, beyond; or none."""


@dataclass(frozen=True, slots=True)
class RunResult:
    """Our row by some models: a mean for each column that was measured; else ``skipped`` says why.

    ``stopped``: too many questions ended in an error. Where fewer did, ``errors`` counts them; they
    are wrong answers, and the next run asks them again.
    """

    run: Run
    models: str = ""
    means: Mapping[str, Mean] = field(default_factory=dict)
    skipped: str | None = None
    differing: Mapping[str, float] = field(default_factory=dict)
    """By column, how probable such a difference from the first row is by chance: the first of the
    same models, or for that row itself the first of all."""
    errors: int = 0
    first_error: str | None = None
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """A table as it was run: on up to ``limit`` questions a set, drawn by ``seed``.

    ``gold_entities`` are the sets whose gold entities were given with their questions, and
    ``rankings`` what a judge made of its dialogues.
    """

    spec: Reproduction
    runs: tuple[RunResult, ...]
    limit: int | None
    seed: int
    gold_entities: tuple[str, ...] = ()
    rankings: tuple[SetRanking, ...] = ()

    def called(self, result: RunResult) -> str:
        """A row with the models that it is by, where rows of other models stand beside it."""
        return ", ".join(filter(None, (result.run.row, self.own_models(result))))

    def own_models(self, result: RunResult) -> str:
        """The models of a row that not all rows of the table have; empty where all are the same."""
        parts = [set(each.models.split(_BETWEEN)) for each in self.runs if each.means]
        common = set.intersection(*parts) if parts else set()
        own = [part for part in result.models.split(_BETWEEN) if part not in common]
        return _BETWEEN.join(own) if parts else ""

    def standing(self, result: RunResult, column: str) -> Standing:
        """How a score stands to the one that is expected of the same questions and models."""
        expected, mean = self.spec.expected, result.means.get(column)
        if expected is None or mean is None:
            return "new"
        asked = (expected.limit, expected.seed, expected.models, self.spec.gold_entities)
        ran = (self.limit, self.seed, result.models, bool(self.gold_entities))
        score = expected.scores.get(result.run.row, {}).get(column)
        of_column = next(each for each in self.spec.columns if each.title == column)
        if score is None or asked != ran or of_column.measure in JUDGED:
            return "new"
        off = abs(mean.value * of_column.scale - score)
        within = expected.tolerance
        return "ok" if off <= within else "near" if off <= 2 * within else "fail"

    @property
    def entities(self) -> str:
        """Where the entities of the questions are from, as reports say it."""
        sets = f" ({', '.join(self.gold_entities)})" if self.gold_entities else ""
        return entities_named(bool(self.gold_entities)) + sets

    @property
    def worst(self) -> Standing:
        """The worst of all scores; ``new`` if nothing is expected of any."""
        found = {
            self.standing(run, column.title)
            for run in self.runs
            for column in self.spec.columns
            if column.measure not in VARYING
        }
        order: tuple[Standing, ...] = ("fail", "near", "ok")
        return next((each for each in order if each in found), "new")

    @property
    def stopped(self) -> bool:
        """Whether a run or a judge was stopped by too many errors."""
        return any(each.stopped for each in self.runs) or any(
            each.stopped for each in self.rankings
        )

    def to_dict(self) -> dict[str, Any]:
        """The scores as JSON has them; two runs give the same, but for seconds."""
        return {
            "name": self.spec.name,
            "limit": self.limit,
            "seed": self.seed,
            "gold_entities": list(self.gold_entities),
            "status": self.worst,
            "rows": [
                {
                    "row": each.run.row,
                    "models": each.models,
                    "skipped": each.skipped,
                    "errors": each.errors,
                    "scores": {
                        title: asdict(mean) | {"status": self.standing(each, title)}
                        for title, mean in each.means.items()
                    },
                }
                for each in self.runs
            ],
            "rankings": [
                {
                    "set": each.questions.title,
                    "models": each.models,
                    "stopped": each.stopped or None,
                    **(asdict(each.ranking) if each.ranking else {}),
                }
                for each in self.rankings
            ],
        }
