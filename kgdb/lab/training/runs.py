"""The folder of a run that is under way: what it was begun with, and where it can go on.

A run may be killed at any moment. What it needs to go on lies in ``OUTPUT/run`` until the model is
complete; a checkpoint counts only when it is whole.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kgdb.errors import UsageError
from kgdb.wording import short

_WHOLE = "whole.json"
_PREFIX = "checkpoint-"


@dataclass(slots=True)
class Run:
    """A run into the folder ``output``; ``seconds`` it took before this process took it up.

    The file ``results`` is written last: where it is, the model is complete.
    """

    output: Path
    fingerprint: str
    results: str
    seconds: float = 0.0
    before: dict[str, float] = field(default_factory=dict)
    _begun: float = field(default_factory=time.monotonic)

    @classmethod
    def open(cls, output: Path, told: object, results: str) -> Run:
        """A new run, or the one that was begun in that folder with the same corpus and settings.

        ``told`` is all that the result depends on. Raises :class:`kgdb.errors.UsageError` where the
        folder holds something else.
        """
        run = cls(output, hashlib.sha256(repr(told).encode()).hexdigest(), results)
        if (output / results).exists():
            raise UsageError(
                f"{short(str(output))} holds a tuned model already.",
                hint="Choose another --output, or delete the folder.",
            )
        begun = run._read()
        if begun is None:
            if output.exists() and any(output.iterdir()):
                raise UsageError(
                    f"{short(str(output))} is not empty, and holds no run that can go on.",
                    hint="Choose another --output, or delete the folder.",
                )
            return run
        if begun["fingerprint"] != run.fingerprint:
            raise UsageError(
                f"{short(str(output))} holds a run with another corpus, model or settings.",
                hint="Give the same ones to go on with it, choose another --output, or delete the "
                "folder.",
            )
        run.seconds, run.before = begun["seconds"], begun["before"]
        return run

    @property
    def folder(self) -> Path:
        """Where the checkpoints lie."""
        return self.output / "run"

    @property
    def elapsed(self) -> float:
        """Seconds of this run, with those before it was interrupted."""
        return self.seconds + time.monotonic() - self._begun

    def begin(self, before: dict[str, float]) -> None:
        """Keep the scores from before tuning."""
        self.before = before
        self.folder.mkdir(parents=True, exist_ok=True)
        self._write(self.seconds)

    def last_checkpoint(self) -> Path | None:
        """The last whole checkpoint; those that are not whole are deleted."""
        found: list[tuple[int, Path]] = []
        for path in self.folder.glob(f"{_PREFIX}*"):
            if (path / _WHOLE).is_file():
                found.append((int(path.name.removeprefix(_PREFIX)), path))
            else:
                shutil.rmtree(path)
        return max(found)[1] if found else None

    def is_whole(self, step: int) -> None:
        """Say that the checkpoint of a step has all its files."""
        path = self.folder / f"{_PREFIX}{step}"
        _replace(path / _WHOLE, {"step": step})
        self._write(self.elapsed)

    def end(self) -> None:
        """Delete the checkpoints: the model is complete."""
        shutil.rmtree(self.folder)

    def _write(self, seconds: float) -> None:
        told = {"fingerprint": self.fingerprint, "seconds": seconds, "before": self.before}
        _replace(self.folder / "run.json", told)

    def _read(self) -> dict[str, Any] | None:
        try:
            begun: dict[str, Any] = json.loads((self.folder / "run.json").read_text("utf-8"))
        except (OSError, ValueError):
            return None
        return begun


def digest(file: Path | None) -> str:
    """The digest of a file that a result depends on."""
    if file is None:
        return ""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _replace(file: Path, value: object) -> None:
    """Write a file that is there as a whole or not at all."""
    part = file.with_suffix(".part")
    part.write_text(json.dumps(value, indent=2), encoding="utf-8")
    part.replace(file)
