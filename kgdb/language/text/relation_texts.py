"""The texts of a relation that a loader gives, and the words of its name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol
from unicodedata import category

# An IRI, a path, or names with dots between as Freebase has them: the last part is the relation.
_PARTED = re.compile(r"[A-Za-z][\w+.-]*:\S+|/\S+|[a-z]\w*(\.[a-z]\w*)+")


class RelationTexts(Protocol):
    """The texts of a relation; see ``docs/reference/loaders.md``."""

    @property
    def text(self) -> str | None:
        """Noun phrase for the far end of a hop along the relation."""

    @property
    def inverse(self) -> str | None:
        """Noun phrase for the far end of a hop against it."""

    @property
    def question(self) -> str | None:
        """Question for the far end of a hop along it."""

    @property
    def inverse_question(self) -> str | None:
        """Question for the far end of a hop against it."""

    @property
    def synonyms(self) -> Sequence[str]:
        """Words that users taught for its name."""


def relation_words(relation: str) -> str:
    """The name of a relation as words: of ``place_of_birth``, ``birthPlace`` and IRIs too."""
    local = relation
    if _PARTED.fullmatch(relation):
        local = re.split(r"[/#.]", relation.rstrip("/#."))[-1]
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", local)
    # Vowel signs are no letters for a regular expression, but parts of words.
    letters = (c if c.isalnum() or category(c).startswith("M") else " " for c in spaced)
    return " ".join("".join(letters).split()).lower() or relation
