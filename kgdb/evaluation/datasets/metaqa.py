"""MetaQA (Zhang et al., AAAI 2018): films, by one, two and three hops."""

from __future__ import annotations

from pathlib import Path

from kgdb.errors import UsageError
from kgdb.evaluation.datasets.records import lines_of
from kgdb.evaluation.questions import Question
from kgdb.graph.linking.mention_linking import bracketed, unbracketed
from kgdb.wording import counted, short

HOPS = (1, 2, 3)


def read_metaqa(data: Path, hops: int, split: str = "dev") -> list[Question]:
    """The MetaQA "vanilla" questions of one length, in file order.

    ``data`` is the folder that holds ``metaqa/``. MetaQA has the topic entity in square brackets:
    the text is without them. The type of a question is its relation chain, where the file of them
    lies beside.
    Raises :class:`UsageError` when the file is not there or a line is not a question.
    """
    folder = data / "metaqa" / f"{hops}-hop"
    path = folder / "vanilla" / f"qa_{split}.txt.gz"
    lines = list(lines_of(path))
    types: list[str | None] = [None] * len(lines)
    beside = folder / f"qa_{split}_qtype.txt.gz"
    if beside.is_file():
        types = [line.strip() for line in lines_of(beside)]
        if len(types) != len(lines):
            raise UsageError(
                f"{beside} has {counted(len(types), 'line')} for "
                f"{counted(len(lines), 'question')} of {path}.",
                hint="Expected one line for each question: get both files again, from one release.",
            )
    questions = []
    for number, (line, type_) in enumerate(zip(lines, types, strict=True), 1):
        text, tab, answers = line.partition("\t")
        if not tab or not text.strip():
            raise UsageError(
                f"{path}, line {number}: expected QUESTION<TAB>ANSWER|ANSWER, found {short(line)}.",
                hint="Get the file again; for questions of your own see docs/how-to/evaluating.md.",
            )
        questions.append(
            Question(
                f"{hops}-hop/{split}/{number}",
                unbracketed(text),
                frozenset(answers.split("|")),
                type=type_,
                entities=bracketed(text),
                hops=hops,
                marked=text,
            )
        )
    return questions
