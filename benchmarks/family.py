"""A made-up family graph with questions in words of their own, for measuring what was not trained.

    python -m benchmarks.family FOLDER

writes ``family.tsv``, for ``kgdb load tsv``, and ``family-1.jsonl`` to ``family-3.jsonl``, by the
number of hops, for ``kgdb eval``. The relations
have names alone; the questions say them in other words.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import click

from kgdb.values import Step

_FIRST = "Ada Noor Ida Tomas Maj Ruben Ken Lena Omar Vera Yusuf Mira Anton Saga Pavel Ines".split()
_LAST = "Weir Lindqvist Okonjo Marsh Amagiri Sorel Hale Brandt Castell Duarte Eklund Fry".split()
_TOWNS = "Harrowgate Lindmoor Castrel Vesterby Quillon Tarnow Aldmere Porthaven".split()
_FIRMS = ("Northlight Press", "Amber Mills", "Kestrel Bank", "Orchard Labs", "Tidewater Rail")
_SCHOOLS = ("Saint Orla College", "Vesterby Polytechnic", "Aldmere School of Art")
_JOBS = "nurse baker surveyor violinist chemist printer".split()

QUESTIONS: Sequence[tuple[str, str]] = (
    ("who is the mum of [X]", "mother"),
    ("which people have [X] as their father", "^father"),
    ("where did [X] come into the world", "born_in"),
    ("who is [X] married to", "spouse"),
    ("what does [X] do for a living", "occupation"),
    ("who are the people that [X] pays a salary to", "^employer"),
    ("who is the grandmother of [X] on the mother's side", "mother mother"),
    ("where was the dad of [X] born", "father born_in"),
    ("which company does the husband or wife of [X] work for", "spouse employer"),
    ("which school did the mother of [X] go to", "mother studied_at"),
    ("who else was born in the town where [X] was born", "born_in ^born_in"),
    ("who has the same mother as [X]", "mother ^mother"),
    ("where do the children that [X] is the father of live", "^father lives_in"),
    ("what is the job of the person [X] is married to", "spouse occupation"),
    ("which colleagues does [X] have at the firm", "employer ^employer"),
    ("where was the mother of the father of [X] born", "father mother born_in"),
    ("where do people who went to the same school as [X] live", "studied_at ^studied_at lives_in"),
    ("which company employs the spouse of the mother of [X]", "mother spouse employer"),
    ("what work do people born in the same town as [X] do", "born_in ^born_in occupation"),
    ("who are the fathers of the colleagues of [X]", "employer ^employer father"),
    ("where did the husband of the mother of [X] study", "mother spouse studied_at"),
)
"""Questions with the chains that answer them, as texts of steps."""


class Family:
    """People over four generations, with the facts about them."""

    def __init__(self, seed: int, couples: int = 24) -> None:
        self._draw = random.Random(seed)
        self._names = [f"{first} {last}" for first in _FIRST for last in _LAST]
        self._draw.shuffle(self._names)
        self.facts: list[tuple[str, str, str]] = []
        parents = [(self._person(), self._person()) for _ in range(couples)]
        for _ in range(3):
            for mother, father in parents:
                self.facts += [(mother, "spouse", father), (father, "spouse", mother)]
            children = []
            for mother, father in parents:
                for _ in range(self._draw.randint(1, 3)):
                    if self._names:
                        child = self._person()
                        self.facts += [(child, "mother", mother), (child, "father", father)]
                        children.append(child)
            self._draw.shuffle(children)
            parents = list(zip(children[::2], children[1::2], strict=False))

    def _person(self) -> str:
        name = self._names.pop()
        for relation, ends in (
            ("born_in", _TOWNS),
            ("lives_in", _TOWNS),
            ("employer", _FIRMS),
            ("studied_at", _SCHOOLS),
            ("occupation", _JOBS),
        ):
            self.facts.append((name, relation, self._draw.choice(ends)))
        return name

    def questions(self, each: int) -> list[dict[str, object]]:
        """``each`` questions of every kind, with all right answers."""
        steps: dict[Step, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for head, relation, tail in self.facts:
            steps[Step(relation)][head].add(tail)
            steps[Step(relation, reverse=True)][tail].add(head)
        asked: list[dict[str, object]] = []
        for text, chain in QUESTIONS:
            path = [Step.parse(step) for step in chain.split()]
            starts = sorted(steps[path[0]])
            self._draw.shuffle(starts)
            kept = 0
            for start in starts:
                ends = {start}
                for step in path:
                    ends = {end for place in ends for end in steps[step].get(place, ())}
                ends.discard(start)
                if ends and kept < each:
                    kept += 1
                    question = text.replace("[X]", f"[{start}]")
                    asked.append(
                        {"question": question, "answers": sorted(ends), "type": f"{len(path)}-hop"}
                    )
        return asked


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--seed", default=0, show_default=True)
@click.option("--each", default=10, show_default=True, help="Questions of every kind.")
def main(folder: Path, seed: int, each: int) -> None:
    """Write the graph and its questions into FOLDER."""
    write(folder, seed, each)


def write(folder: Path, seed: int, each: int) -> None:
    """Write the graph, and ``each`` questions of every kind by their hops."""
    family = Family(seed)
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["\t".join(fact) for fact in family.facts]
    (folder / "family.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    questions = family.questions(each)
    for hops in (1, 2, 3):
        some = [json.dumps(q) for q in questions if q["type"] == f"{hops}-hop"]
        (folder / f"family-{hops}.jsonl").write_text("\n".join(some) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
