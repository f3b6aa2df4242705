// The relationships of the last hop of a chain, each with one walk; those beside each other on one walk come together.
`%of%`
`%ends%`
WITH e AS n0, proof AS before`%kept%`
MATCH (n0)`%hops%`
WHERE `%where%`
WITH `%r%` AS r, before, [`%relationships%`] AS steps, [`%nodes%`] AS walk
ORDER BY [n IN walk | `%id%`], [r IN steps | elementId(r)]
WITH r, collect({walk: walk, steps: steps, before: before})[0] AS first
WITH first.walk AS walk, count(r) AS number, collect(first.before + [r IN first.steps | `%fact%`])[..$proofs] AS proofs
WITH last(walk) AS e, number, reduce(all = [], one IN proofs | all + [null] + one) AS proof
