"""``kgdb lab train corpus``."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kgdb.cli.parameter_types import NamedPath
from kgdb.cli.shared_options import connected, data_option, json_option
from kgdb.errors import UsageError
from kgdb.evaluation import (
    DATASETS,
    Asked,
    Question,
    Selection,
    drawn,
    read_dataset,
    read_file,
)
from kgdb.lab.cli.corpus_report import show_corpus
from kgdb.lab.cli.training_options import check_folder_of, corpus_file_option, seed_option
from kgdb.lab.training.corpus.metaqa_chains import metaqa_chain
from kgdb.wording import listed, short

if TYPE_CHECKING:
    from kgdb.lab.training.corpus import CorpusReport, HeldOut
    from kgdb.values import Step


@click.command(
    "corpus",
    epilog="Example: kgdb lab train corpus metaqa metaqa --data ./data --output metaqa.jsonl",
)
@click.argument("graph")
@click.argument("questions", required=False, metavar="[DATASET|FILE]")
@corpus_file_option
@data_option
@click.option("--limit", type=click.IntRange(min=1), help="Questions per set, drawn by --seed.")
@click.option(
    "--without",
    multiple=True,
    type=NamedPath(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Questions that the corpus must not hold; may be repeated.",
)
@click.option(
    "--without-entities",
    is_flag=True,
    help="Also leave out questions about the entities of those that it must not hold.",
)
@click.option("--encoder", help="As in kgdb answer; it chooses between chains that are all right.")
@click.option(
    "--rows",
    type=click.IntRange(min=1),
    help="Without questions: how many rows to make. [default: 4000]",
)
@click.option(
    "--held-back",
    type=click.FloatRange(min=0, max=0.5),
    help="Without questions: the share that is held back from training. [default: 0.2]",
)
@click.option(
    "--max-hops",
    type=click.IntRange(min=1, max=3),
    default=3,
    show_default=True,
    help="Steps of the longest chain.",
)
@click.option(
    "--min-f1",
    type=click.FloatRange(min=0, max=1, min_open=True),
    help="Of a graph that lacks facts: also chains that give the answers only so well; the best of "
    "each question. [default: 1]",
)
@click.option("--licence", default="", help="Of the questions, for cards. [default: not given]")
@seed_option
@json_option
def corpus_command(
    graph: str,
    questions: str | None,
    output: Path,
    data: Path,
    limit: int | None,
    without: tuple[Path, ...],
    without_entities: bool,
    encoder: str | None,
    rows: int | None,
    held_back: float | None,
    max_hops: int,
    min_f1: float | None,
    licence: str,
    seed: int,
    as_json: bool,
) -> None:
    """Make a corpus for the relation encoder.

    GRAPH is a loaded graph. With metaqa, webqsp (their training split) or a FILE of questions with
    answers, the command finds the chains that give exactly these answers. Without questions it
    makes questions from the graph by templates. docs/how-to/training.md describes both.
    """
    of_questions = {
        "--limit": limit,
        "--without": without,
        "--without-entities": without_entities,
        "--encoder": encoder,
        "--min-f1": min_f1,
    }
    of_a_graph = {"--rows": rows, "--held-back": held_back}
    _refuse_options(of_questions if questions is None else of_a_graph, questions)
    check_folder_of(output)
    asked = None
    if questions is not None:
        asked = CorpusQuestions.read(
            questions, data, without, limit, seed, entities=without_entities
        )
    from kgdb.lab.training.corpus import (
        HELD_BACK_SHARE,
        ROWS,
        corpus_from_graph,
        corpus_from_questions,
        write_rows,
    )

    begun = time.monotonic()
    with connected() as connection:
        chosen = connection.graph(graph)
        if asked is None:
            made, told = corpus_from_graph(
                chosen,
                rows=ROWS if rows is None else rows,
                max_hops=max_hops,
                held_back=HELD_BACK_SHARE if held_back is None else held_back,
                seed=seed,
                report=connection.report,
            )
        else:
            made, told = corpus_from_questions(
                chosen,
                asked.questions,
                connection.encoder(encoder),
                source=asked.source,
                held_out=asked.held_out,
                true_chain=_metaqa_chain if questions == "metaqa" else None,
                max_hops=max_hops,
                min_f1=1.0 if min_f1 is None else min_f1,
                seed=seed,
                report=connection.report,
            )
    told.seconds = time.monotonic() - begun
    if not made:
        raise UsageError(
            f"No row can be made for the graph {short(graph)}: {_reasons(told)}.",
            hint="Check that the questions are about this graph, and that their answers are named "
            "as the graph names them.",
        )
    write_rows(output, [replace(row, licence=licence) for row in made])
    show_corpus(output, told, as_json=as_json)


@dataclass(frozen=True, slots=True)
class CorpusQuestions:
    """The questions of a corpus, what they are called, and those that are held out."""

    questions: Sequence[Question]
    source: str
    held_out: HeldOut

    @classmethod
    def read(
        cls,
        name: str,
        data: Path,
        without: Sequence[Path],
        limit: int | None,
        seed: int,
        *,
        entities: bool,
    ) -> CorpusQuestions:
        """The training split of a set, or a file; the dev split is held out."""
        from kgdb.lab.training.corpus import HeldOut

        sets = [
            drawn(_only_questions(name, each), limit, seed)
            for each in read_dataset(name, data, Selection("train")).values()
        ]
        kept_out = [_only_questions(str(file), read_file(file)) for file in without]
        if name in DATASETS:
            dev = read_dataset(name, data, Selection("dev"))
            kept_out += [_only_questions(name, each) for each in dev.values()]
        return cls(
            [question for each in sets for question in each],
            f"{name} train" if name in DATASETS else Path(name).name,
            HeldOut([q for each in kept_out for q in each], entities=entities),
        )


def _only_questions(name: str, asked: Asked) -> list[Question]:
    """The questions with their gold entities pointed out: a corpus says what is asked of which."""
    questions = [each.pointed_out() for each in asked if isinstance(each, Question)]
    if len(questions) != len(asked):
        raise UsageError(
            f"{short(name)} holds claims; a corpus is made from questions with answers.",
            hint="docs/how-to/training.md shows what a line looks like.",
        )
    if not questions:
        raise UsageError(
            f"{short(name)} holds no question.",
            hint="docs/how-to/training.md shows what a line looks like.",
        )
    return questions


def _metaqa_chain(question: Question) -> tuple[Step, ...] | None:
    return metaqa_chain(question.type)


def _refuse_options(given: Mapping[str, object], questions: str | None) -> None:
    """Options that do nothing here would mislead."""
    for option, value in given.items():
        if value not in (None, (), False):
            what = "without questions" if questions is None else "with questions"
            raise UsageError(
                f"{option} does nothing {what}.",
                hint="kgdb lab train corpus --help says which option goes with which.",
            )


def _reasons(told: CorpusReport) -> str:
    return listed(f"{reason} ({n:,})" for reason, n in told.dropped.most_common())
