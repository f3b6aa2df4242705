// Announces a graph that is being adopted; nothing of it can be used before adopt_finish.
MERGE (g:KnowledgeGraph {name: $name})
SET g += $properties
