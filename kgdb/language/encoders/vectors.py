"""What an encoder says of relations and of pairs of texts."""

from __future__ import annotations

from collections.abc import Sequence

from kgdb.graph import RelationVectors
from kgdb.graph.retrieval.results import RelationInfo
from kgdb.language.language_model import Encoder
from kgdb.language.text.verbalize import verbalize
from kgdb.values import Step

SUBJECT = "it"
"""What stands for the other end in the text of a relation."""


def encode_relations(relations: Sequence[RelationInfo], encoder: Encoder) -> RelationVectors:
    """The embeddings of the relations, in their order."""
    texts = {relation.id: relation for relation in relations}
    phrases = [
        verbalize((Step(relation.id, reverse),), SUBJECT, texts)
        for relation in relations
        for reverse in (False, True)
    ]
    vectors = encoder.encode(phrases)
    ids = tuple(relation.id for relation in relations)
    return RelationVectors(encoder.name, ids, vectors[0::2], vectors[1::2])


def cosines(encoder: Encoder, pairs: Sequence[tuple[str, str]]) -> list[float]:
    """The cosine similarity of both texts of each pair, from -1 to 1."""
    if not pairs:
        return []
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    rows = dict(zip(texts, encoder.encode(texts), strict=True))
    return [float(rows[one] @ rows[other]) for one, other in pairs]
