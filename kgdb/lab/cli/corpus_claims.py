"""The claims that a corpus is made of, as the commands of ``kgdb lab train`` read them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kgdb.errors import UsageError
from kgdb.evaluation import DATASETS, Asked, Claim, Selection, drawn, read_dataset, read_file
from kgdb.wording import short


@dataclass(frozen=True, slots=True)
class CorpusClaims:
    """Claims with labels, where they are from, and those that the corpus must not hold."""

    claims: Sequence[Claim]
    source: str
    held_out: Sequence[Claim]

    @classmethod
    def read(
        cls, name: str, data: Path, without: Sequence[Path], limit: int | None, seed: int
    ) -> CorpusClaims:
        """The claims of a data set's training split or of a file; none where it has questions."""
        sets: list[Asked] = [read_file(file) for file in without]
        if name in DATASETS:
            sets += read_dataset(name, data, Selection("dev")).values()
        claims = _claims(*read_dataset(name, data, Selection("train")).values())
        source = f"{name} train" if name in DATASETS else Path(name).name
        return cls(drawn(claims, limit, seed), source, _claims(*sets))


def check_folder(output: Path) -> None:
    """Raise :class:`kgdb.errors.UsageError` where the folder of a corpus is not there."""
    if not output.absolute().parent.is_dir():
        raise UsageError(
            f"There is no folder {short(str(output.absolute().parent))}.",
            hint="Create it, or give --output a file in a folder that exists.",
        )


def _claims(*sets: Asked) -> list[Claim]:
    return [each.pointed_out() for asked in sets for each in asked if isinstance(each, Claim)]
