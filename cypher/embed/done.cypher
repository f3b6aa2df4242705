// By which encoder the embeddings of the names are; null while they are not all there.
MATCH (g:KnowledgeGraph {name: $kg})
SET g.nameEncoder = $encoder
