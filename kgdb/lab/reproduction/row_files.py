"""The files of a table's rows: which run is in which, and which models have answered a run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from kgdb.evaluation import entities_named
from kgdb.lab.reproduction.spec import QuestionSet


@dataclass(frozen=True, slots=True)
class RowFiles:
    """Those of one run over one set, in ``folder``: one for each combination of models.

    Every table that has this run shares them, so a question is asked once.
    """

    folder: Path
    method: str
    questions: QuestionSet
    graph: str
    gold_entities: bool
    options: Mapping[str, Any]

    def name(self, models: str) -> str:
        """The run by these models, as each of its rows names it."""
        return f"{self._before}{models}{self._after}"

    def path(self, models: str) -> Path:
        """The file of the run by these models."""
        signature = sha256(self.name(models).encode()).hexdigest()[:8]
        return self.folder / f"{self.method}-{self.questions.title}-{signature}.jsonl"

    def models(self) -> Iterator[str]:
        """The models that have answered questions of this run, in any order."""
        for path in _row_files(self.folder, self.method, self.questions):
            run = _run_of(path)
            if run.startswith(self._before) and run.endswith(self._after):
                yield run.removeprefix(self._before).removesuffix(self._after)

    @property
    def _before(self) -> str:
        return f"{self.method} on {self.graph}, "

    @property
    def _after(self) -> str:
        said = "".join(f", {name}={self.options[name]}" for name in sorted(self.options))
        return f", {entities_named(self.gold_entities)}{said}"


def has_rows(folder: Path, method: str, questions: QuestionSet) -> bool:
    """Whether this method has answered any of these questions, with whatever options."""
    return any(True for _ in _row_files(folder, method, questions))


def _row_files(folder: Path, method: str, questions: QuestionSet) -> Iterator[Path]:
    return folder.glob(f"{method}-{questions.title}-????????.jsonl")


def _run_of(path: Path) -> str:
    """The run that the first row names; empty where there is no whole row."""
    with path.open(encoding="utf-8") as file:
        line = file.readline()
    try:
        return str(json.loads(line)["run"]) if line.endswith("\n") else ""
    except (ValueError, TypeError, KeyError):
        return ""
