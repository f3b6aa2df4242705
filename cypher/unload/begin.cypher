// Announces that a graph is removed: from here on it cannot be used, and no batch of a load gets in any more.
MATCH (g:KnowledgeGraph {name: $name})
SET g.state = $state
REMOVE g.load
RETURN 1 AS written
