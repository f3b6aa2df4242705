"""The question sets that ``kgdb eval`` knows by their names."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias, TypeVar

from kgdb.errors import UsageError
from kgdb.evaluation.datasets.cwq import read_cwq
from kgdb.evaluation.datasets.factkg import read_factkg
from kgdb.evaluation.datasets.metaqa import HOPS, read_metaqa
from kgdb.evaluation.datasets.own import read_file
from kgdb.evaluation.datasets.qald import is_qald, read_qald
from kgdb.evaluation.datasets.simplequestions import read_simplequestions
from kgdb.evaluation.datasets.webqsp import read_webqsp
from kgdb.evaluation.datasets.webquestions import read_webquestions
from kgdb.evaluation.questions import Claim, Question
from kgdb.wording import short

Asked: TypeAlias = Sequence[Question] | Sequence[Claim]
SPLITS = ("train", "dev")


@dataclass(frozen=True, slots=True)
class Selection:
    """What to read of a set.

    ``split`` is ``None`` for the one to measure on: the dev split, or the only one. ``hops`` are
    lengths of MetaQA's questions, and ``language`` is one of a file of QALD.
    """

    split: str | None = None
    hops: tuple[int, ...] = HOPS
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Dataset:
    """A set; the first of ``splits`` is to measure on.

    ``graph`` is the graph that it is about, ``source`` what that is loaded from, in the folder of
    data, and ``options`` are those of its loader that scores depend on.
    """

    graph: str
    source: str
    splits: tuple[str, ...]
    read: Callable[[Path, str, Selection], Mapping[str, Asked]]
    options: Mapping[str, str] = field(default_factory=dict)

    def load_command(self, data: Path) -> str:
        """The command that loads the graph as scores expect it."""
        options = "".join(f" --set {name}={value}" for name, value in self.options.items())
        return f"kgdb load {self.graph} {data / self.source}{options}"


def _metaqa(data: Path, split: str, chosen: Selection) -> Mapping[str, Asked]:
    return {f"{hops}-hop {split}": read_metaqa(data, hops, split) for hops in chosen.hops}


def whole(read: Callable[..., Asked], name: str) -> Callable[..., Mapping[str, Asked]]:
    """How a set of that name is read that has one part for each split."""

    def reading(data: Path, split: str, _: Selection) -> Mapping[str, Asked]:
        return {f"{name} {split}": read(data, split)}

    return reading


_BOTH = ("dev", "train")
_WEBQSP = "freebase/webqsp_cwq_triples.tsv.gz"
_PATHS = {"paths": "known"}

DATASETS: Mapping[str, Dataset] = MappingProxyType(
    {
        "metaqa": Dataset("metaqa", "metaqa/kb.txt.gz", _BOTH, _metaqa),
        "factkg": Dataset(
            "factkg", "dbpedia/factkg_triples.tsv.gz", _BOTH, whole(read_factkg, "factkg")
        ),
        "webqsp": Dataset("webqsp-cwq", _WEBQSP, _BOTH, whole(read_webqsp, "webqsp"), _PATHS),
        "cwq": Dataset("webqsp-cwq", _WEBQSP, _BOTH, whole(read_cwq, "cwq"), _PATHS),
        "webquestions": Dataset(
            "fb15k-237", "fb15k-237", ("train",), whole(read_webquestions, "webquestions")
        ),
        "simplequestions": Dataset(
            "fb15k-237",
            "fb15k-237",
            ("train",),
            whole(read_simplequestions, "simplequestions"),
        ),
    }
)


def read_dataset(
    name: str, data: Path, chosen: Selection, sets: Mapping[str, Dataset] = DATASETS
) -> dict[str, Asked]:
    """The sets of a name, or of a file, by their titles. Raises :class:`UsageError`."""
    known = sets.get(name)
    if known is None:
        return _own(name, chosen)
    split = chosen.split or known.splits[0]
    if split not in known.splits:
        raise UsageError(
            f"{name} has no split {short(split)}.", hint=f"Expected {' or '.join(known.splits)}."
        )
    return dict(known.read(data, split, chosen))


def _own(name: str, chosen: Selection) -> dict[str, Asked]:
    path = Path(name)
    if "." not in name and not path.exists():
        raise UsageError(
            f"{short(name)} is not a question set, and there is no such file.",
            hint=f"Expected {', '.join(DATASETS)}, or a JSONL file (docs/how-to/evaluating.md).",
        )
    if is_qald(path):
        return {path.name: read_qald(path, chosen.language)}
    return {path.name: read_file(path)}


_A = TypeVar("_A", Sequence[Question], Sequence[Claim], Asked)


def drawn(asked: _A, limit: int | None, seed: int) -> _A:
    """So many of them at random; all of them without a limit."""
    if limit is None or limit >= len(asked):
        return asked
    places = random.Random(seed).sample(range(len(asked)), limit)
    return [asked[place] for place in places]  # type: ignore[return-value]
