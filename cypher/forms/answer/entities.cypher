// How many entities there are, and the first of them with the facts that prove each.
`%of%`
WITH `%id%` AS id, `%name%` AS name, proof, rank
ORDER BY rank, name, id
WITH collect([id, name, null, proof]) AS found
RETURN size(found) AS `%total%`, found[..$limit] AS `%rows%`
