// Records the encoder of the name embeddings; null while they are incomplete.
MATCH (g:KnowledgeGraph {name: $kg})
SET g.nameEncoder = $encoder
