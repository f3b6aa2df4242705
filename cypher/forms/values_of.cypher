CALL () {
`%of%`
}
UNWIND `%values%` AS x
RETURN x
