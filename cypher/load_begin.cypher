// Announces a graph that is being loaded. `load` marks this attempt: a later one takes over from it.
MERGE (g:KnowledgeGraph {name: $name})
SET g = $properties
