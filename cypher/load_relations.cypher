// The bookkeeping node of each relation.
MATCH (g:KnowledgeGraph {name: $name, load: $load})
UNWIND $rows AS row
MERGE (r:Relation {kg: $name, id: row.id})
SET r += row
RETURN count(*) AS written
