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
UNWIND `%values%` AS x
RETURN x
