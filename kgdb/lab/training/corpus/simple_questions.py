"""SimpleQuestions (Bordes et al. 2015): people's questions, each with its one relation of Freebase.

The questions name their entity by its key in Freebase. Its name is needed to mask it, and is taken
from the set itself, or from the names of FB15k-237.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kgdb.errors import UsageError
from kgdb.methods.chains.candidate_chains import Subject
from kgdb.methods.chains.key_entities import KeyEntity
from kgdb.wording import short

QUESTIONS = "simplequestions/train.jsonl.gz"
NAMES = "fb15k-237/entity2text.txt.gz"


@dataclass(frozen=True, slots=True)
class RelationQuestion:
    """A masked question, the relation that answers it, and the name that it masks."""

    masked: str
    relation: str
    name: str


def read_simple_questions(data: Path) -> list[RelationQuestion]:
    """The questions whose entity stands in them by its name.

    Raises :class:`kgdb.errors.UsageError` for a file that is missing or has a line of another form.
    """
    names = dict(_names(data / NAMES)) if (data / NAMES).exists() else {}
    found = []
    for number, line in enumerate(_lines(data / QUESTIONS), 1):
        try:
            given = json.loads(line)
            text, relation = str(given["question"]), str(given["relation"])
            name = str(given.get("subject_name") or names.get(str(given["subject"]), ""))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise UsageError(
                f"Line {number} of {short(str(data / QUESTIONS))} is no question of "
                f"SimpleQuestions ({type(error).__name__}: {error}).",
                hint='Expected {"question": …, "subject": …, "relation": …}.',
            ) from None
        start = text.casefold().find(name.casefold()) if name.strip() else -1
        if start >= 0:
            key = KeyEntity(name, (), "question", (start, start + len(name)))
            found.append(RelationQuestion(Subject.of(text, key).masked, relation, name))
    return found


def _names(file: Path) -> Iterator[tuple[str, str]]:
    for line in _lines(file):
        key, _, name = line.rstrip("\n").partition("\t")
        yield key.removeprefix("/m/"), name


def _lines(file: Path) -> Iterator[str]:
    try:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            yield from lines
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise UsageError(
            f"{short(str(file))} cannot be read: {error}.",
            hint="--data names the folder with simplequestions/ and freebase/.",
        ) from None
