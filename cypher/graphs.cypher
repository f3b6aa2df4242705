// The loaded graphs, from their bookkeeping nodes.
MATCH (g:KnowledgeGraph) RETURN properties(g) AS graph ORDER BY g.name
