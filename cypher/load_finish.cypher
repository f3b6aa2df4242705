// From here on the graph can be used.
MATCH (g:KnowledgeGraph {name: $name, load: $load})
SET g += $properties
REMOVE g.load
RETURN count(*) AS written
