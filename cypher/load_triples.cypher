// One batch of triples between entities that exist, if this attempt is still the one that loads the graph.
MATCH (g:KnowledgeGraph {name: $name, load: $load})
UNWIND $rows AS row
MATCH (head:`%label%` {id: row.head})
MATCH (tail:`%label%` {id: row.tail})
CREATE (head)-[:$(row.relation)]->(tail)
RETURN count(*) AS written
