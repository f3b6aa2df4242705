// Those with so many entities of a set at the other end.
`%of%`
`%ends%`
WITH e, proof, ends, `%count%` AS number
WHERE `%test%`
WITH e, proof + `%fact%` AS proof, 0 AS rank
