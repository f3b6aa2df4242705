// One batch of triples between entities that exist; locking as in load_entities.
UNWIND $rows AS row
MATCH (head:`%label%` {id: row.head})
MATCH (tail:`%label%` {id: row.tail})
CREATE (head)-[:$(row.relation)]->(tail)
WITH count(*) AS written
MATCH (g:KnowledgeGraph {name: $name})
SET g.written = g.written + written
WITH g, written WHERE g.load = $load
RETURN written
