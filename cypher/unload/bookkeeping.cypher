MATCH (g:KnowledgeGraph {name: $name})
OPTIONAL MATCH (r:Relation {kg: $name})
WITH g, collect(r) AS relations
FOREACH (r IN relations | DELETE r)
DELETE g
