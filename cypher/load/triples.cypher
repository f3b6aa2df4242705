// One batch of triples between nodes that exist.
UNWIND $rows AS row
MATCH (head:`%label%` {id: row.head})
MATCH (tail:`%label%` {id: row.tail})
CREATE (head)-[:$(row.relation)]->(tail)
WITH count(*) AS written
`%note%`
