// Values of a property, each with its entity.
`%of%`
UNWIND `%values%` AS x
WITH `%id%` AS id, `%name%` AS name, x, proof + [[`%id%`, `%name%`, `%property%`, null, x, {}]] AS proof, rank
