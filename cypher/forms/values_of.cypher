// Values of a property, each with its entity.
CALL () {
`%of%`
}
UNWIND `%values%` AS x
RETURN `%id%` AS id, `%name%` AS name, x, proof + [[`%id%`, `%name%`, `%property%`, null, x, {}]] AS proof, rank
