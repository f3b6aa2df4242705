"""A graph that replies as a test has written down: frameworks retrieve from it without a server."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kgdb.errors import UsageError
from kgdb.graph import ReadAnswer
from kgdb.values import Answer, AnsweredEntity, Entity, Path, Step, Verdict

ADA, RUBEN, TOBIAS = (Entity(name[0].lower(), name) for name in ("Ada", "Ruben", "Tobias"))
FILMS = [Entity(f"f{number}", f"Film {number}") for number in range(3)]


def walk(film: Entity, director: Entity) -> Path:
    return Path((ADA, film, director), (Step("starred", True), Step("directed_by")))


DIRECTORS = Answer(
    "Who directed Ada's films?",
    "films",
    "auto",
    (
        AnsweredEntity(RUBEN, (walk(FILMS[0], RUBEN), walk(FILMS[1], RUBEN)), 2),
        AnsweredEntity(TOBIAS, (walk(FILMS[2], TOBIAS),), 1),
    ),
    interpretation="who directed the films starring Ada?",
    notes=("a note",),
)
UNKNOWN = Answer("Who wrote Kermit?", "films", "auto", reason="nothing is named Kermit.")
REFUTED = Verdict("A claim.", "films", "auto", "REFUTED", opposing=(walk(FILMS[0], RUBEN),))


@dataclass
class ScriptedGraph:
    """Answers the questions it knows, and keeps the options it was given."""

    name: str = "films"
    options: list[dict[str, Any]] = field(default_factory=list)

    def answer(self, question: str, **options: Any) -> Answer:
        self.options.append(options)
        if not question:
            raise UsageError("The question is empty.", hint="Ask something.")
        return DIRECTORS if question == DIRECTORS.question else UNKNOWN

    def verify(self, claim: str, **options: Any) -> Verdict:
        self.options.append(options)
        return REFUTED

    def read_cypher(self, script: str, *, max_rows: int) -> ReadAnswer:
        return ReadAnswer(("name",), (("Ada",), ("Zoë",)), False, None)
