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
UNWIND `%values%` AS value
WITH `%other_id%` AS id, `%other_name%` AS name, value, proof + [`%fact%`] AS proof
ORDER BY name, id, toString(value)
WITH collect([id, name, value, proof]) AS rows
RETURN size(rows) AS total, rows[..$limit] AS rows
