"""A judge ranks the answers of several methods to each question, twice and in opposite orders.

RoK (§5.1.2) and GoT-R (§5.1) rank texts by GPT-4. Judges prefer places as well as answers, so each
question is put twice (Zheng et al., 2023, §3.4): the methods are hidden behind letters, in an order
that is drawn for the question, and then in its reverse.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from math import isnan
from pathlib import Path

from kgdb.errors import ModelError, TooManyErrors, UsageError
from kgdb.evaluation.result_rows import FileRow
from kgdb.evaluation.row_file import open_rows, read_rows
from kgdb.lab.ranking.rank_prompt import LETTERS, flat, rank_request, ranks_in
from kgdb.lab.texts.dialogue_sets import DialogueQuestion
from kgdb.language import Completion, CompletionRequest, LanguageModel
from kgdb.methods.texts.citations import without_citations
from kgdb.optional_packages import optional
from kgdb.progress import Progress, Report, silent
from kgdb.wording import brief, counted

_BATCH = 8  # questions that are judged together
_SHOWN = 200  # characters of a reply that cannot be read


@dataclass(frozen=True, slots=True)
class Judge:
    """A language model that ranks, and its ``name`` as reports have it.

    ``seed`` draws the orders; ``max_errors`` is how many questions may end in an error.
    """

    llm: LanguageModel
    name: str
    seed: int = 0
    max_errors: int = 10

    def run(self, methods: Sequence[str]) -> str:
        """How rows of these methods are made, as each of them names it."""
        return f"{', '.join(sorted(methods))} ranked by {self.name}, seed {self.seed}"

    def rows_beside(self, rows: Path, methods: Sequence[str]) -> Path:
        """The file for its rows beside that of the answers; each judge has its own."""
        signature = sha256(self.run(methods).encode()).hexdigest()[:8]
        return rows.with_name(f"{rows.stem}-ranking-{signature}.jsonl")


@dataclass(frozen=True, slots=True)
class Answered:
    """A question and the text of each method; ``None`` where a method says nothing."""

    question: DialogueQuestion
    texts: Mapping[str, str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankRow(FileRow):
    """How a judge ranks the answers to a question.

    ``first`` and ``second`` are the ranks of the methods in both runs, from 1 for the best; equal
    ones share the mean of their ranks. They are ``None`` where a reply could not be read, and then
    ``unreadable`` is the first such reply. ``agreement`` is Kendall's tau-b of the two runs over
    the texts that were ``shown``; ``None`` where a run has all of them equal. ``silent`` are the
    methods that say nothing. ``asked`` is the hash of what the judge was asked, and ``error`` says
    why the judge failed.
    """

    question: str
    asked: str
    shown: int
    silent: list[str]
    first: dict[str, float] | None = None
    second: dict[str, float] | None = None
    agreement: float | None = None
    unreadable: str | None = None
    error: str | None = None
    calls: int = 0
    cached: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


def rank_answers(
    judge: Judge, answered: Sequence[Answered], rows: Path | None = None, report: Report = silent
) -> list[RankRow]:
    """The row of each question, in their order.

    A method that says nothing is not shown: it is behind all others. Methods that say the same are
    shown once and share a rank. So the judge is only asked where two texts differ. ``rows`` keeps
    the rows; the judge is not asked again what a row has, unless that ended in an error.

    Raises :class:`UsageError` for more texts than there are letters, or a file that has other rows,
    and :class:`TooManyErrors`.
    """
    optional("scipy", "lab")
    ballots = [_Ballot.of(each, judge.seed) for each in answered]
    run = judge.run(list(answered[0].texts)) if answered else ""
    before = read_rows(rows, RankRow, run) if rows else {}
    ranked = {
        ballot.id: row
        for ballot in ballots
        if (row := before.get(ballot.id)) and row.error is None and row.asked == ballot.asked
    }
    remaining = [ballot for ballot in ballots if ballot.id not in ranked]
    errors: list[str] = []
    with open_rows(rows) as write_row:
        for start in range(0, len(remaining), _BATCH):
            together = remaining[start : start + _BATCH]
            replies = iter(
                judge.llm.complete([each for ballot in together for each in ballot.requests])
            )
            for ballot in together:
                row = ballot.row(run, [next(replies) for _ in ballot.requests])
                write_row(row)
                ranked[row.id] = row
                errors += [row.error] if row.error else []
            report(Progress("ranking", len(ranked), len(ballots), "questions"))
            if len(errors) > judge.max_errors:
                raise TooManyErrors(
                    f"The judge {judge.name} failed on {counted(len(errors), 'question')}; the "
                    f"last error: {errors[-1]}",
                    hint="With a file of rows, the same command asks these questions again, and "
                    "goes on.",
                )
    return [ranked[ballot.id] for ballot in ballots]


@dataclass(frozen=True, slots=True)
class _Ballot:
    """One question to a judge: ``texts`` in the order of the first run, each with its methods."""

    answered: Answered
    texts: Mapping[str, Sequence[str]]
    requests: tuple[CompletionRequest, ...]

    @classmethod
    def of(cls, answered: Answered, seed: int) -> _Ballot:
        saying: dict[str, list[str]] = {}
        for method, text in sorted(answered.texts.items()):
            # Citations would tell which methods have a graph.
            if said := flat(without_citations(text or "")):
                saying.setdefault(said, []).append(method)
        if len(saying) > len(LETTERS):
            raise UsageError(
                f"{counted(len(saying), 'answer')} are to be ranked; expected {len(LETTERS)} at "
                "most.",
                hint="Name fewer methods.",
            )
        texts = list(saying)
        random.Random(f"{seed} {answered.question.id}").shuffle(texts)
        orders = (texts, texts[::-1]) if len(texts) > 1 else ()
        requests = tuple(rank_request(answered.question, order) for order in orders)
        return cls(answered, {text: saying[text] for text in texts}, requests)

    @property
    def id(self) -> str:
        return self.answered.question.id

    @property
    def asked(self) -> str:
        """A hash of the prompts, and of which methods are behind the letters."""
        methods = [sorted(self.answered.texts), list(self.texts.values())]
        asked = "\n".join([*(request.prompt for request in self.requests), repr(methods)])
        return sha256(asked.encode(errors="backslashreplace")).hexdigest()[:16]

    def row(self, run: str, replies: Sequence[Completion | ModelError]) -> RankRow:
        """The row by the replies to the requests."""
        question = self.answered.question
        saying = {method for methods in self.texts.values() for method in methods}
        row = RankRow(
            id=self.id,
            run=run,
            question=question.text,
            asked=self.asked,
            shown=len(self.texts),
            silent=sorted(self.answered.texts.keys() - saying),
        )
        completions = [each for each in replies if isinstance(each, Completion)]
        failed = [each for each in replies if isinstance(each, ModelError)]
        costs = {
            "calls": sum(each.requests for each in completions),
            "cached": sum(each.cached for each in completions),
            "tokens_in": sum(each.tokens_in for each in completions),
            "tokens_out": sum(each.tokens_out for each in completions),
        }
        if failed:
            error = f"{type(failed[0]).__name__}: {failed[0].message}"
            return RankRow(**asdict(row) | costs | {"error": error})
        if not completions:
            same = self._ranks((1,) * len(self.texts))
            return RankRow(**asdict(row) | {"first": same, "second": same})
        read = [ranks_in(each, len(self.texts)) for each in completions]
        unread = [each.text for each, ranks in zip(completions, read, strict=True) if not ranks]
        first, second = read[0], read[1] and read[1][::-1]
        return RankRow(
            **asdict(row)
            | costs
            | {
                "first": first and self._ranks(first),
                "second": second and self._ranks(second),
                "agreement": _tau(first, second) if first and second else None,
                "unreadable": brief(unread[0], _SHOWN) if unread else None,
            }
        )

    def _ranks(self, of_texts: Sequence[int]) -> dict[str, float]:
        """The ranks of all methods, by those of the texts in the order of the first run."""
        from scipy.stats import rankdata

        given = {
            method: rank
            for methods, rank in zip(self.texts.values(), of_texts, strict=True)
            for method in methods
        }
        methods = sorted(self.answered.texts)
        behind = max(of_texts, default=0) + 1
        ranks = rankdata([given.get(method, behind) for method in methods])
        return {method: float(rank) for method, rank in zip(methods, ranks, strict=True)}


def _tau(first: Sequence[int], second: Sequence[int]) -> float | None:
    """Kendall's tau-b, which has no value where one side has all equal."""
    from scipy.stats import kendalltau

    tau = float(kendalltau(first, second).statistic)
    return None if isnan(tau) else round(tau, 4)
