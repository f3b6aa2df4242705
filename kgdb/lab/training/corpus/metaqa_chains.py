"""The kinds of MetaQA's questions as relation chains of its graph."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from kgdb.values import Step

_RELATIONS: Mapping[str, str] = {
    "actor": "starred_actors",
    "director": "directed_by",
    "genre": "has_genre",
    "imdbrating": "has_imdb_rating",
    "imdbvotes": "has_imdb_votes",
    "language": "in_language",
    "tag": "has_tags",
    "tags": "has_tags",
    "writer": "written_by",
    "year": "release_year",
}
"""The relation between a film and each other kind of thing."""


def metaqa_chain(type_: str | None) -> tuple[Step, ...] | None:
    """``actor_to_movie_to_year`` as ``^starred_actors → release_year``, if it is a chain."""
    steps = []
    for near, far in pairwise((type_ or "").split("_to_")):
        other = near if far == "movie" else far
        if other not in _RELATIONS or "movie" not in (near, far):
            return None
        steps.append(Step(_RELATIONS[other], reverse=far == "movie"))
    return tuple(steps) or None
