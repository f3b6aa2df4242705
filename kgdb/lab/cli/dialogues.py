"""``kgdb lab dialogues``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from kgdb.cli.eval_command import Evaluation, make_eval_command
from kgdb.cli.eval_table import Summarized
from kgdb.evaluation import ANSWERS, Asked, Measures
from kgdb.graph import Graph
from kgdb.lab.texts import DIALOGUES, BertScore, DialogueSummary, text_measures
from kgdb.wording import counted


def _measures(graph: Graph, asked: Asked, options: Mapping[str, Any]) -> Measures:
    model = options["bertscore"]
    measures = text_measures(graph, asked, BertScore(model) if model else None)
    return measures.measures() if measures else ANSWERS


def _shares(summary: Summarized) -> Mapping[str, float | None]:
    assert isinstance(summary, DialogueSummary)  # noqa: S101
    return {
        "disease": summary.disease,
        "medication": summary.medication,
        "test": summary.test,
        "key entities": summary.key_entities,
        "in graph": summary.key_entities_in_graph,
        "of all": summary.key_entities_of_all,
        "BERTScore": summary.bertscore_f1,
    }


def _coverage(summary: Summarized) -> str | None:
    """What the shares of key entities are of."""
    if not isinstance(summary, DialogueSummary) or not summary.gold_outside:
        return None
    return (
        f"disease, medication, test and their mean count what the graph covers, of "
        f"{counted(summary.with_key_entities, 'question')}. In references, "
        f"{counted(summary.gold_outside, 'entity', 'entities')} the graph does not have, and "
        f"{summary.gold_unjoined:,} it joins to no disease that is named."
    )


dialogues_command = make_eval_command(
    Evaluation(
        "dialogues",
        help="""Measure methods on dialogues: what patients told and asked, and a doctor answered.

    Methods answer in texts, which are compared with the doctor's. docs/how-to/evaluating.md
    describes the measures, and how to resume an interrupted run.
    """,
        example="kgdb lab dialogues genmedgpt --data ./data --limit 50 --method rok,dialogue",
        dataset=click.argument("dataset", type=click.Choice(list(DIALOGUES))),
        sets=DIALOGUES,
        options=(
            click.option(
                "--bertscore",
                metavar="MODEL",
                help="Also measure texts by BERTScore with this model: a folder, or a name of "
                "Hugging Face.",
            ),
        ),
        in_runs=("bertscore",),
        method_options={"form": "text"},
        measures=_measures,
        shares=_shares,
        note=_coverage,
    )
)
