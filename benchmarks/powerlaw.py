"""A made-up knowledge graph with the shape that makes graph search hard: a few hubs, many types.

Popularity of entities and frequency of relations follow power laws. Beside them stand hubs:
entities with a given number of relationships, each of few relations, as countries and genres are.
The same shape always gives the same graph.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path

import duckdb
import numpy as np
from numpy.typing import NDArray

LABEL = "PowerLaw"
LOADER = Path(__file__).with_suffix(".toml")

_SYLLABLES = (
    "ba be bo da de do fa fi ka ke ko la le li lo ma me mi na ne no pa ra re ri sa so ta to va"
)
_POPULARITY = 0.6
_INTO_HUB = 0.9

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Shape:
    """What the graph is made from."""

    entities: int
    relationships: int
    relations: int
    hubs: tuple[int, ...]
    relations_of_hub: int
    seed: int

    def fingerprint(self) -> str:
        """Differs where the graph does."""
        source = Path(__file__).read_bytes() + json.dumps(asdict(self)).encode()
        return hashlib.sha256(source).hexdigest()


FULL = Shape(
    entities=500_000,
    relationships=2_300_000,
    relations=1_000,
    hubs=(100_000, 60_000, 40_000, 25_000, 16_000, 10_000, 6_000, 4_000, 2_500, 1_600),
    relations_of_hub=50,
    seed=7,
)


def entity_id(number: int) -> str:
    """The id of the entity of that number; the first ones are the hubs."""
    return f"e{number:07d}"


def write_source(shape: Shape, folder: Path) -> Path:
    """Write the graph below ``folder``, as ``powerlaw.toml`` reads it; returns its triples."""
    rng = np.random.default_rng(shape.seed)
    heads, tails, relations = relationships(shape, rng)
    triples = folder / "triples.tsv"
    entities = {"number": np.arange(shape.entities), "name": names(rng, shape.entities)}
    with duckdb.connect() as connection:
        connection.register("entities", entities)
        _write(
            connection, "SELECT printf('e%07d', number), name FROM entities", folder / "names.tsv"
        )
        connection.register("edges", {"head": heads, "tail": tails, "relation": relations})
        _write(
            connection,
            "SELECT printf('e%07d', head), printf('relation_%04d', relation), "
            "printf('e%07d', tail) FROM edges",
            triples,
        )
    return triples


def _write(connection: duckdb.DuckDBPyConnection, query: str, path: Path) -> None:
    connection.execute(
        f"COPY ({query}) TO ? (FORMAT csv, DELIMITER '\t', HEADER false)", [str(path)]
    )


def relationships(shape: Shape, rng: np.random.Generator) -> tuple[Numbers, Numbers, Numbers]:
    """Heads, tails and relations of all relationships, by number."""
    frequency = _power_law(shape.relations, 1.0)
    popularity = _power_law(shape.entities - len(shape.hubs), _POPULARITY)
    entities = len(shape.hubs) + np.arange(shape.entities - len(shape.hubs))

    def ordinary(size: int) -> Numbers:
        # Who is often a tail is not who is often a head.
        return rng.choice(entities, size, p=popularity)

    head_of = np.concatenate([np.arange(len(shape.hubs)), rng.permutation(entities)])
    heads, tails, relations = [], [], []
    for hub, size in enumerate(shape.hubs):
        own = rng.choice(shape.relations, shape.relations_of_hub, replace=False, p=frequency)
        others, inward = head_of[ordinary(size)], rng.random(size) < _INTO_HUB
        heads.append(np.where(inward, others, hub))
        tails.append(np.where(inward, hub, others))
        relations.append(rng.choice(own, size, p=_power_law(len(own), 1.0)))
    rest = shape.relationships - sum(shape.hubs)
    heads.append(head_of[ordinary(rest)])
    tails.append(ordinary(rest))
    relations.append(rng.choice(shape.relations, rest, p=frequency))
    return np.concatenate(heads), np.concatenate(tails), np.concatenate(relations)


def _power_law(size: int, exponent: float) -> NDArray[np.float64]:
    weights = np.arange(1, size + 1) ** -exponent
    return np.asarray(weights / weights.sum(), dtype=np.float64)


def names(rng: np.random.Generator, size: int) -> NDArray[np.object_]:
    """Two invented words each; words repeat, as those of people and films do."""
    syllables = _SYLLABLES.split()

    def words(count: int, length: int) -> NDArray[np.object_]:
        parts = rng.choice(syllables, (count, length))
        return np.array(["".join(part).capitalize() for part in parts], dtype=object)

    first, last = words(2_000, 3), words(50_000, 4)
    return np.array(
        [
            f"{one} {other}"
            for one, other in zip(rng.choice(first, size), rng.choice(last, size), strict=True)
        ],
        dtype=object,
    )
