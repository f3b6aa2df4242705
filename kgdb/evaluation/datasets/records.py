"""Reading the files of question sets, with errors that name the line."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO, TypeVar, get_args

from kgdb.errors import UsageError
from kgdb.evaluation.questions import Claim, Question
from kgdb.values import Label
from kgdb.wording import short

LABELS: Mapping[object, Label] = {
    True: "SUPPORTED",
    False: "REFUTED",
    "NOT ENOUGH INFO": "NOT ENOUGH EVIDENCE",
    **{label: label for label in get_args(Label)},
}
"""What a claim's label may be in a file, with what it means."""

_T = TypeVar("_T", bound=Question | Claim)


def records(path: Path, read: Callable[[int, Mapping[str, Any]], _T]) -> list[_T]:
    """Every line of a JSONL file as what ``read`` makes of it; their ids differ."""
    records: dict[str, _T] = {}
    for number, line in enumerate(lines_of(path), 1):
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


def json_lines(path: Path) -> Iterator[Mapping[str, Any]]:
    """Every line of a JSONL file; raises :class:`UsageError`."""
    for number, line in enumerate(lines_of(path), 1):
        try:
            yield json.loads(line)
        except ValueError as error:
            raise UsageError(f"{path}, line {number}, is not JSON: {error}.") from error


def lines_of(path: Path) -> Iterator[str]:
    """The lines of a text file, or of a gzipped one. Raises :class:`UsageError`."""
    if not path.is_file():
        raise UsageError(
            f"There is no {path}.",
            hint="Name the folder that holds metaqa/, webqsp/ and the others with --data or "
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


def label_of(value: object) -> Label:
    """The label that a value means; raises :class:`ValueError`."""
    if isinstance(value, bool | str) and value in LABELS:
        return LABELS[value]
    known = ", ".join(json.dumps(label) for label in LABELS)
    raise ValueError(f"the label is {short(value)}; expected {known}")


def text_of(value: object) -> str:
    """A text that is not empty; raises :class:`TypeError`."""
    if isinstance(value, str) and value.strip():
        return value
    raise TypeError(f"{short(value)} is not a text")


def texts_of(values: object) -> list[str]:
    """A list of such texts; raises :class:`TypeError`."""
    if not isinstance(values, list):
        raise TypeError(f"{short(values)} is not a list of texts")
    return [text_of(value) for value in values]
