// Replaces the words that users taught for names of the graph: `synonyms[n]` is one for `synonymNames[n]`.
MATCH (g:KnowledgeGraph {name: $name})
SET g += $properties
RETURN count(*) AS written
