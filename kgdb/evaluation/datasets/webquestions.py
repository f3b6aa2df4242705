"""WebQuestions (Berant et al., EMNLP 2013); RoK asks them over FB15k-237."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from kgdb.evaluation.datasets.records import records, text_of
from kgdb.evaluation.questions import Question
from kgdb.wording import short

# Up to the bracket before the next one: a few quote inside quotes.
_DESCRIPTION = re.compile(r"\(description (.+?)\)(?=\s*\(description |\)*$)")


def read_webquestions(data: Path, split: str = "train") -> list[Question]:
    """WebQuestions with the names of their answers; raises as :func:`records`.

    The topic is known by the address of its page alone (``justin_bieber``).
    """

    def question(number: int, row: Mapping[str, Any]) -> Question:
        target = text_of(row["targetValue"])
        answers = [_unquoted(given) for given in _DESCRIPTION.findall(target)]
        if not answers:
            raise ValueError(f"targetValue is {short(target)}; expected (list (description …))")
        topic = (
            unquote(urlsplit(text_of(row["url"])).path.rpartition("/")[2]).replace("_", " ").title()
        )
        return Question(
            f"webquestions/{split}/{number}",
            text_of(row["utterance"]),
            frozenset(answers),
            entities=(topic,) if topic else (),
        )

    return records(data / "webquestions" / f"{split}.jsonl.gz", question)


def _unquoted(description: str) -> str:
    if len(description) > 1 and description[0] == description[-1] == '"':
        description = description[1:-1]
    return description.replace("\\", "")
