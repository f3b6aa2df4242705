// Values of relationships, each with the entity at the other end.
`%of%`
`%ends%`
MATCH (e)`%left%`[r:`%relation%`]`%right%`(other:`%label%`)
WHERE `%restricted%`
`%once%`
UNWIND `%values%` AS x
WITH `%other_id%` AS id, `%other_name%` AS name, x, proof + [`%fact%`] AS proof, 0 AS rank
