// Values of relationships, each with the entity at the other end.
CALL () {
  CALL () {
`%to%`
  }
  RETURN collect(e) AS ends
}
CALL () {
`%of%`
}
MATCH (e)`%left%`[r:`%relation%`]`%right%`(other:`%label%`)
WHERE `%restricted%`
`%once%`
UNWIND `%values%` AS x
RETURN `%other_id%` AS id, `%other_name%` AS name, x, proof + [`%fact%`] AS proof, 0 AS rank
