"""Prototypes of clusters of questions, and how concentrated each is (GoT-R §3.2, equation 3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]

_MOST = 4.0
"""How far the concentration of a cluster may be from the mean, as a factor."""


@dataclass(frozen=True, slots=True)
class Prototypes:
    """The clusters of a corpus.

    ``cluster`` is that of each row, ``vectors`` the prototype of each cluster: the mean vector of
    the chains that its questions ask for. ``concentration`` is φ of each, ``nearest`` the clusters
    whose centroids are nearest, nearest first.
    """

    cluster: Integers
    vectors: Floats
    concentration: Floats
    nearest: Integers


def cluster(
    questions: Floats,
    chains: Floats,
    *,
    clusters: int,
    nearest: int,
    temperature: float,
    smoothing: float,
    seed: int,
) -> Prototypes:
    """K-means over the vectors of the questions, of shape ``(rows, dimensions)``."""
    from sklearn.cluster import MiniBatchKMeans

    means = MiniBatchKMeans(
        min(clusters, len(questions)), random_state=seed, n_init=1, batch_size=1024, max_iter=20
    ).fit(questions)
    used, members = np.unique(means.labels_, return_inverse=True)
    centroids = means.cluster_centers_[used].astype(np.float32)
    count = np.bincount(members)
    vectors = np.zeros_like(centroids)
    np.add.at(vectors, members, chains)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True).clip(1e-9)
    spread = np.bincount(members, np.linalg.norm(questions - centroids[members], axis=1))
    concentration = spread / (count * np.log(count + smoothing))
    concentration *= temperature / concentration.mean().clip(1e-9)
    # A cluster of one question has no spread at all.
    concentration = concentration.clip(temperature / _MOST, temperature * _MOST)
    sizes = (centroids**2).sum(-1)
    apart = sizes[:, None] + sizes - 2 * centroids @ centroids.T
    np.fill_diagonal(apart, np.inf)
    order = np.argsort(apart, axis=1, kind="stable")[:, : min(nearest, len(used) - 1)]
    return Prototypes(
        members.astype(np.int64), vectors, concentration.astype(np.float32), order.astype(np.int64)
    )
