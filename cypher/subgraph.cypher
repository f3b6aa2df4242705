// Nodes and relationships themselves, for clients that work on them.
CALL () {
  MATCH (e:`%label%`) WHERE `%key(e)%` IN $ids
  RETURN collect(e) AS nodes
}
CALL () {
  UNWIND $triples AS triple
  MATCH (head:`%label%`), (tail:`%label%`)
  WHERE `%key(head)%` = triple.head AND `%key(tail)%` = triple.tail
  MATCH (head)-[r`%types%`]->(tail) WHERE type(r) = triple.relation
  RETURN collect(r) AS relationships
}
RETURN nodes, relationships
