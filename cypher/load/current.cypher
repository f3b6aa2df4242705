// Whether the graph is still that of this load: a row, unless another one has taken over.
MATCH (g:KnowledgeGraph {name: $name})
WHERE g.load = $load
RETURN g.name AS name
