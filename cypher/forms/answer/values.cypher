// Values with their entities.
`%values%`
WITH id, name, x, proof, rank
ORDER BY rank, name, id, toStringOrNull(x)
WITH collect([id, name, x, proof]) AS found
RETURN size(found) AS total, found[..$limit] AS rows
