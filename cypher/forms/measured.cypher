// Each entity of a set with what the values of its relationships come to; only those with a value.
`%of%`
`%ends%`
CALL (*) {
  MATCH (e)`%left%`[r:`%relation%`]`%right%`(other:`%label%`)
  WHERE `%restricted%`
  UNWIND `%values%` AS x
  WITH r, `%key%` AS key WHERE key IS NOT NULL
  WITH collect({fact: `%fact%`, key: key}) AS measured, `%measure%` AS measure
  WHERE size(measured) > 0
  RETURN measure, `%whole%` + reduce(shown = [], value IN [value IN measured WHERE `%shown%`][..$proofs] | shown + [null, value.fact]) AS facts
}
WITH e, proof + facts AS proof, measure
