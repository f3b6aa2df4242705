// Announces a graph that is being adopted; it is not usable before adopt_finish.
MERGE (g:KnowledgeGraph {name: $name})
SET g += $properties
