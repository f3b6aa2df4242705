// Those with the extreme values: all that reach the last value that is taken.
`%of%`
WITH e, proof, `%key%` AS key WHERE key IS NOT NULL
ORDER BY key
WITH collect({e: e, proof: proof, key: key}) AS ranked
UNWIND ranked AS each
WITH each.e AS e, each.proof AS proof, each.key AS key, ranked
WHERE size(ranked) >= `%least%` AND key <= coalesce(ranked[`%k%` - 1], ranked[-1]).key
WITH e, proof + `%properties%` AS proof, key AS rank
