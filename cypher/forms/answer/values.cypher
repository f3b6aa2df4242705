// Values with their entities.
CALL () {
  CALL () {
`%of%`
  }
  UNWIND `%values%` AS value
  RETURN count(value) AS total
}
CALL () {
  CALL () {
`%of%`
  }
  UNWIND `%values%` AS value
  WITH `%id%` AS id, `%name%` AS name, value, proof + [[`%id%`, `%name%`, `%property%`, null, toString(value), {}]] AS proof, rank
  ORDER BY rank, name, id, toString(value) LIMIT $limit
  RETURN collect([id, name, value, proof]) AS rows
}
RETURN total, rows
