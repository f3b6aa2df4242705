// For each fact, a set of its two ends, the properties of its relationships.
`%starts%`
CALL (batch, nodes) {
  WITH nodes[0] AS head, nodes[-1] AS tail
  MATCH (head)-[r`%followed%`]->(tail) WHERE type(r) = $relations[batch]
  WITH properties(r) AS properties ORDER BY elementId(r) LIMIT $most
  RETURN collect(properties) AS rows
}
RETURN batch, rows
