// Two sets put together: the entities, and in which of the sets each is.
CALL () {
`%left%`
  RETURN e, proof, 1 AS side
  UNION ALL
`%right%`
  RETURN e, proof, 2 AS side
}
WITH e, side, proof ORDER BY side
WITH e, collect(side) AS sides, collect(proof) AS proofs
WHERE sides IN `%kept%`
WITH e, reduce(all = [], one IN proofs | all + [null] + one) AS proof, 0 AS rank
