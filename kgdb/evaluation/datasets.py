"""Question sets in their published forms, and in kgdb's own."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO, TypeVar, get_args

from kgdb.errors import UsageError
from kgdb.evaluation.questions import Claim, Question
from kgdb.graph.linking.mentions import unbracketed
from kgdb.values import Label
from kgdb.wording import counted, short

HOPS = (1, 2, 3)
SPLITS = ("train", "dev")

LABELS: Mapping[object, Label] = {
    True: "SUPPORTED",
    False: "REFUTED",
    "NOT ENOUGH INFO": "NOT ENOUGH EVIDENCE",
    **{label: label for label in get_args(Label)},
}
"""What a claim's label may be in a file, with what it means."""

_T = TypeVar("_T", Question, Claim)


def read_metaqa(
    data: Path, hops: int, split: str = "dev", *, mentions_given: bool = True
) -> list[Question]:
    """The MetaQA "vanilla" questions of one length, in file order.

    ``data`` is the folder that holds ``metaqa/``. MetaQA marks the topic entity in square
    brackets; ``mentions_given=False`` takes the brackets away, so that it has to be found. The type
    of a question is its relation chain, where the file of them lies beside.
    Raises :class:`UsageError` when the file is not there or a line is not a question.
    """
    folder = data / "metaqa" / f"{hops}-hop"
    path = folder / "vanilla" / f"qa_{split}.txt.gz"
    lines = list(_lines(path))
    types: list[str | None] = [None] * len(lines)
    beside = folder / f"qa_{split}_qtype.txt.gz"
    if beside.is_file():
        types = [line.strip() for line in _lines(beside)]
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
        if not mentions_given:
            text = unbracketed(text)
        gold = frozenset(answers.split("|"))
        questions.append(Question(f"{hops}-hop/{split}/{number}", text, gold, type=type_))
    return questions


def read_webqsp(data: Path, split: str = "dev", *, mentions_given: bool = True) -> list[Question]:
    """WebQSP questions with the names of their answers; raises as :func:`read_metaqa`.

    The topic entity is put in brackets, unless it is to be found.
    """

    def question(_: int, row: Mapping[str, Any]) -> Question:
        return Question(
            str(row["QuestionId"]),
            _text(row["RawQuestion"]),
            # A few have an answer or a topic without a name.
            frozenset(name for name in row["answer"] if name),
            entities=tuple(name for name in row["topic_entity"].values() if name),
        )

    questions = _records(data / "webqsp" / f"{split}.jsonl.gz", question)
    return [question.pointed_out() for question in questions] if mentions_given else questions


def read_factkg(data: Path, split: str = "dev") -> list[Claim]:
    """FactKG claims with their labels; raises as :func:`read_metaqa`."""

    def claim(number: int, row: Mapping[str, Any]) -> Claim:
        return Claim(f"factkg/{split}/{number}", _text(row["claim"]), _label(row["label"]))

    return _records(data / "factkg" / f"{split}.jsonl.gz", claim)


def read_file(path: Path, *, mentions_given: bool = True) -> list[Question] | list[Claim]:
    """A JSONL file (or ``.gz``) in kgdb's own form (``docs/how-to/evaluating.md``).

    All its lines are questions, or all are claims. Raises :class:`UsageError`.
    """
    first = next(_lines(path), "")
    if '"claim"' in first:
        return _records(path, _own_claim)
    questions = _records(path, _own_question)
    return [question.pointed_out() for question in questions] if mentions_given else questions


def _own_question(number: int, row: Mapping[str, Any]) -> Question:
    gold, ids = set(), {}
    for answer in row["answers"]:
        if isinstance(answer, str):
            gold.add(answer)
        else:
            name = _text(answer.get("name") or answer["id"])
            gold.add(name)
            ids[_text(answer["id"])] = name
    return Question(
        str(row.get("id", number)),
        _text(row["question"]),
        frozenset(gold),
        ids,
        row.get("type") and _text(row["type"]),
        tuple(_texts(row.get("entities", []))),
        unanswerable=not row["answers"],
    )


def _own_claim(number: int, row: Mapping[str, Any]) -> Claim:
    return Claim(
        str(row.get("id", number)),
        _text(row["claim"]),
        _label(row["label"]),
        row.get("type") and _text(row["type"]),
        tuple(_texts(row.get("entities", []))),
    )


def _records(path: Path, read: Callable[[int, Mapping[str, Any]], _T]) -> list[_T]:
    """Every line of a JSONL file as what ``read`` makes of it; their ids differ."""
    records: dict[str, _T] = {}
    for number, line in enumerate(_lines(path), 1):
        try:
            record = read(number, json.loads(line))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            what = f"no {error}" if isinstance(error, KeyError) else str(error)
            raise UsageError(
                f"{path}, line {number}, is not a question or claim as expected: {what}.",
                hint="docs/how-to/evaluating.md shows what a line looks like.",
            ) from error
        if record.id in records:
            raise UsageError(
                f"{path}, line {number}: the id {short(record.id)} is there already.",
                hint="Give each line an id of its own, or none: then its number is its id.",
            )
        records[record.id] = record
    return list(records.values())


def _lines(path: Path) -> Iterator[str]:
    if not path.is_file():
        raise UsageError(
            f"There is no {path}.",
            hint="Name the folder that holds metaqa/, factkg/ and webqsp/ with --data or "
            "KGDB_DATA, or a file of your own.",
        )
    zipped = path.suffix == ".gz"
    try:
        with _opened(path, zipped=zipped) as file:
            for line in file:
                yield line.rstrip("\n")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        form = "gzipped UTF-8 text" if zipped else "UTF-8 text"
        raise UsageError(f"{path} is not {form}: {error}.") from error


def _opened(path: Path, *, zipped: bool) -> TextIO:
    if zipped:
        return gzip.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")


def _label(value: object) -> Label:
    if isinstance(value, bool | str) and value in LABELS:
        return LABELS[value]
    known = ", ".join(json.dumps(label) for label in LABELS)
    raise ValueError(f"the label is {short(value)}; expected {known}")


def _text(value: object) -> str:
    if isinstance(value, str) and value.strip():
        return value
    raise TypeError(f"{short(value)} is not a text")


def _texts(values: object) -> list[str]:
    if not isinstance(values, list):
        raise TypeError(f"{short(values)} is not a list of texts")
    return [_text(value) for value in values]
