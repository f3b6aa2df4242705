"""Question sets in their published forms."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from pathlib import Path

from kgdb.errors import UsageError

HOPS = (1, 2, 3)
SPLITS = ("train", "dev")


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its gold answers (names); ``id`` is unique within its set."""

    id: str
    text: str
    gold: frozenset[str]


def read_metaqa(
    data: Path, hops: int, split: str = "dev", *, mentions_given: bool = True
) -> list[Question]:
    """The MetaQA "vanilla" questions of one length, in file order.

    ``data`` is the folder that holds ``metaqa/``. MetaQA marks the topic entity in square
    brackets; ``mentions_given=False`` takes the brackets away, so that it has to be found.
    Raises :class:`UsageError` when the file is not there or a line is not a question.
    """
    path = data / "metaqa" / f"{hops}-hop" / "vanilla" / f"qa_{split}.txt.gz"
    if not path.is_file():
        raise UsageError(
            f"There is no {path}.",
            hint="Name the folder that holds metaqa/ with --data or KGDB_DATA.",
        )
    questions = []
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            lines = file.readlines()
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is not gzipped UTF-8 text: {error}.") from error
    for number, line in enumerate(lines, 1):
        text, tab, answers = line.rstrip("\n").partition("\t")
        if not tab or not text.strip():
            raise UsageError(f"{path}, line {number}: expected QUESTION<TAB>ANSWER|ANSWER.")
        if not mentions_given:
            text = text.replace("[", "").replace("]", "")
        questions.append(
            Question(f"{hops}-hop/{split}/{number}", text, frozenset(answers.split("|")))
        )
    return questions
