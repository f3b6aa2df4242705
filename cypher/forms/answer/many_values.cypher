// Values with their entities, of more than fit in memory.
CALL () {
`%values%`
  RETURN count(x) AS total
}
CALL () {
`%values%`
  WITH id, name, x, proof, rank
  ORDER BY rank, name, id, toStringOrNull(x) LIMIT $limit
  RETURN collect([id, name, x, proof]) AS rows
}
RETURN total, rows
