// Nodes and relationships themselves, for clients that work on them.
CALL () {
  MATCH (e:`%label%`) WHERE e.`%id%` IN $ids
  RETURN collect(e) AS nodes
}
CALL () {
  UNWIND $triples AS triple
  MATCH (head:`%label%` {`%id%`: triple.head}), (tail:`%label%` {`%id%`: triple.tail})
  MATCH (head)-[r`%types%`]->(tail) WHERE type(r) = triple.relation
  RETURN collect(r) AS relationships
}
RETURN nodes, relationships
