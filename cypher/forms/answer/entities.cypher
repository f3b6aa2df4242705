// How many entities there are, and the first of them with the facts that prove each.
CALL () {
`%of%`
}
WITH `%id%` AS id, `%name%` AS name, proof, rank
ORDER BY rank, name, id
WITH collect([id, name, null, proof]) AS rows
RETURN size(rows) AS total, rows[..$limit] AS rows
