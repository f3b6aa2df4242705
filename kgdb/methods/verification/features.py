"""What is known of a claim after its checks, as numbers that a verifier reads.

No feature holds a word of the claim or of the graph: a verifier learns how far checks can be
trusted, not what is true.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

from kgdb.graph import Link
from kgdb.methods.verification.checks import Check, Holds
from kgdb.methods.verification.claims import Claim

_SIDES = {False: "affirmed", True: "denied"}


def claim_features(claim: Claim, checks: Sequence[Check], paths: int) -> dict[str, float]:
    """The features by their names, the same names for every claim.

    ``paths`` is the number of paths between the entities that the claim names. Similarities are
    cosines from -1 to 1, 0 where there is no check of that kind; counts are as they are or, where
    they may be large, as log(1 + count); the rest is 0 or 1.
    """
    return {name: float(value) for name, value in _features(claim, checks, paths)}


def _features(
    claim: Claim, checks: Sequence[Check], paths: int
) -> Iterator[tuple[str, float | bool]]:
    denies = bool(claim.denials)
    for denied, side in _SIDES.items():
        for holds in get_args(Holds):
            number = sum(one.denied == denied and one.holds == holds for one in checks)
            yield f"{side} {holds}", number
            yield f"any {side} {holds}", number > 0
            yield f"only {side} {holds}", number == len(checks) > 0
            yield f"any {side} {holds} with a negation", denies and number > 0
    # What the rules would say of a graph that lacks no fact.
    supported = bool(checks) and all((one.holds == "yes") != one.denied for one in checks)
    yield "rules", supported
    yield "rules with a negation", supported and denies
    yield "negation", denies
    yield "no check", not checks
    yield "one check", len(checks) == 1
    hops = [min(len(path.steps) for path in one.proof) for one in checks if one.proof]
    yield "any proof of two hops", max(hops, default=1) > 1
    yield "all proofs of two hops", min(hops, default=1) > 1
    for denied, side in _SIDES.items():
        held = [c.similarity for c in checks if c.denied == denied and c.holds == "yes"]
        yield f"least similarity, {side}", min(held, default=0.0)
        yield f"highest similarity, {side}", max(held, default=0.0)
    yield "least similarity", min((one.similarity for one in checks), default=0.0)
    yield "highest similarity", max((one.similarity for one in checks), default=0.0)
    yield "proofs", math.log1p(sum(len(one.proof) for one in checks))
    yield "facts against", math.log1p(sum(len(one.against) for one in checks))
    yield "paths", math.log1p(paths)
    yield "entities", len(claim.links)
    yield "one span", len(claim.spans) == 1
    yield "values", len(claim.values)
    yield "names in lower case", sum(map(_is_in_lower_case, claim.links))
    yield "words", math.log1p(len(claim.text.split()))


def _is_in_lower_case(link: Link) -> bool:
    return link.mention == link.mention.lower() != link.mention.upper()


FEATURES = tuple(claim_features(Claim("", (), ()), (), 0))
"""The names of all features."""


def vector(features: Mapping[str, float]) -> list[float]:
    """The features in the order of :data:`FEATURES`."""
    return [features[name] for name in FEATURES]
