"""Embeddings of what each relation of a graph leads to, as loading has written them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kgdb.lazy import lazy_property
from kgdb.values import Step


@dataclass(frozen=True)
class RelationVectors:
    """Embeddings of what each relation leads to, along it and against it: unit vectors.

    ``along`` is that of its text (*the director of it*), ``against`` that of its inverse; both
    have a row for each of ``ids``. ``encoder`` is the name of the encoder that made them.
    """

    encoder: str
    ids: tuple[str, ...]
    along: NDArray[np.float32]
    against: NDArray[np.float32]

    @lazy_property
    def steps(self) -> tuple[Step, ...]:
        """Every step there is: each relation along it, then each against it."""
        return tuple(Step(id_, reverse) for reverse in (False, True) for id_ in self.ids)

    @lazy_property
    def matrix(self) -> NDArray[np.float32]:
        """Their vectors, a row for each of :attr:`steps`."""
        return np.concatenate([self.along, self.against])


def stored_vectors(encoder: str, rows: Sequence[Mapping[str, Any]]) -> RelationVectors | None:
    """What the bookkeeping holds; ``None`` where a relation has no embeddings, or odd ones."""
    ids = tuple(row["id"] for row in rows)
    sizes = {len(row[side] or ()) for row in rows for side in ("along", "against")}
    if len(sizes) != 1 or 0 in sizes:
        return None
    along, against = (
        np.array([row[side] for row in rows], dtype=np.float32) for side in ("along", "against")
    )
    return RelationVectors(encoder, ids, along, against)
