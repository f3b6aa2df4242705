// One batch of entities, if this attempt is still the one that loads the graph.
MATCH (g:KnowledgeGraph {name: $name, load: $load})
UNWIND $rows AS row
CREATE (e:Entity:`%label%`)
SET e.id = row.id, e.name = row.name
RETURN count(*) AS written
