// Those with the extreme values, of more than fit in memory: first the last value that is taken, then all that reach it.
CALL () {
`%of%`
  WITH `%key%` AS key WHERE key IS NOT NULL
  WITH key ORDER BY key LIMIT `%most%`
  RETURN collect(key) AS `%keys%`
}
CALL (`%keys%`) {
`%of%`
  WITH e, proof, `%key%` AS key
  WHERE size(`%keys%`) >= `%least%` AND key <= coalesce(`%keys%`[`%k%` - 1], `%keys%`[-1])
  RETURN e, proof + `%properties%` AS proof, key AS rank
}
WITH e, proof, rank
