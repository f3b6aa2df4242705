// One value from many, and the first of these: of a maximum the largest, else the smallest.
CALL () {
`%values%`
  WITH x, `%key%` AS key WHERE key IS NOT NULL
  RETURN count(key) AS total, `%reduced%` AS number
}
CALL () {
`%values%`
  WITH id, name, x, proof, `%key%` AS key WHERE key IS NOT NULL
  WITH id, name, x, proof, `%sign%` * key AS key
  ORDER BY key, name, id, toStringOrNull(x) LIMIT $limit
  RETURN collect([id, name, x, proof]) AS rows
}
RETURN total, number, rows
