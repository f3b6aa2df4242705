"""Relations as an encoder sees them: the embedding of what each leads to."""

from __future__ import annotations

from collections.abc import Sequence

from kgdb.graph import RelationInfo, RelationVectors
from kgdb.language.base import Encoder
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
