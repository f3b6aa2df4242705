// What is loaded, from the bookkeeping nodes alone.
MATCH (g:KnowledgeGraph) RETURN properties(g) AS graph ORDER BY g.name
