// Announces that a graph is removed: from now on it is not usable, and batches of a load are refused.
MATCH (g:KnowledgeGraph {name: $name})
SET g.state = $state
REMOVE g.load
RETURN 1 AS written
