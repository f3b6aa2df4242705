// Conditions on a set.
CALL () {
`%of%`
}
WITH e AS n0, proof
WHERE `%where%`
WITH n0 AS e, proof
RETURN e, proof + `%properties%` AS proof, 0 AS rank
