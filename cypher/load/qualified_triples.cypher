// One batch of triples with properties between nodes that exist.
UNWIND $rows AS row
MATCH (head:`%label%` {id: row.head})
MATCH (tail:`%label%` {id: row.tail})
CREATE (head)-[r:$(row.relation)]->(tail)
SET r = row.properties
WITH count(*) AS written
`%note%`
