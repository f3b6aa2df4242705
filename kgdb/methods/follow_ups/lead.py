"""How a question that goes on from an earlier answer begins: *and*, *only*, *what about*."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kgdb.methods.follow_ups.follow_up_words import ReferringWords


@dataclass(frozen=True, slots=True)
class Lead:
    """The beginning of a question.

    ``text`` is the question with blanks for what only leads on, so that all places stay as they
    were; ``said`` are the words that narrow, swap or go on.
    """

    text: str
    opens: bool = False
    narrows: bool = False
    swaps: bool = False
    said: str = ""

    @property
    def begin(self) -> int:
        """The place of the first letter that is left."""
        found = re.search(r"\w", self.text)
        return found.start() if found else len(self.text)


def lead_of(question: str, names: list[tuple[int, int]], words: ReferringWords) -> Lead:
    """The lead of a question; ``names`` are the places of what it names, which begin no lead."""
    text = list(question)
    said: list[str] = []
    opens = narrows = swaps = False
    while True:
        lead = Lead("".join(text))
        lower, at = lead.text.lower(), lead.begin
        if any(start <= at < end for start, end in names):
            break
        if found := words.swapping.match(lower, at):
            swaps = True
        elif found := words.openers.match(lower, at):
            opens = True
        elif found := words.taken.match(lower, at):
            narrows = True
        else:
            narrows = narrows or words.narrowing.match(lower, at) is not None
            break
        said.append(found[0])
        text[found.start() : found.end()] = " " * len(found[0])
    return Lead("".join(text), opens, narrows, swaps, " ".join(said))
