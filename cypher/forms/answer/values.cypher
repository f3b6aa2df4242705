// Values with their entities.
CALL () {
`%values%`
}
WITH id, name, x, proof, rank
ORDER BY rank, name, id, toStringOrNull(x)
WITH collect([id, name, x, proof]) AS rows
RETURN size(rows) AS total, rows[..$limit] AS rows
