// Conditions on a set.
`%of%`
WITH e AS n0, proof
WHERE `%where%`
WITH n0 AS e, proof
WITH e, proof + `%properties%` AS proof, 0 AS rank
