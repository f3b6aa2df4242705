// A chain of hops from a set, with conditions on the way: one MATCH, which uses no relationship twice.
`%of%`
WITH e AS n0, proof AS before
MATCH (n0)`%hops%`
WHERE `%where%`
WITH `%last%` AS e, before, [`%relationships%`] AS steps, [`%nodes%`] AS walk
ORDER BY [n IN walk | `%id%`], [r IN steps | elementId(r)]
WITH e, collect(before + [r IN steps | `%fact%`])[..$witnesses] AS proofs
WITH e, reduce(all = [], one IN proofs | all + [null] + one) + `%properties%` AS proof, 0 AS rank
