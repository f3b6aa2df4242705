// How many entities there are, and the first of them with the facts that prove each; for more than fit in memory.
CALL () {
`%of%`
  RETURN count(e) AS `%total%`
}
CALL () {
`%of%`
  WITH `%id%` AS id, `%name%` AS name, proof, rank
  ORDER BY rank, name, id LIMIT $limit
  RETURN collect([id, name, null, proof]) AS `%rows%`
}
RETURN `%total%`, `%rows%`
