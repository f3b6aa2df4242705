// How many relationships there are, and the first of them by the entities that they lead to.
`%of%`
WITH `%id%` AS id, `%name%` AS name, number, proof
ORDER BY name, id
WITH collect([id, name, number, proof]) AS found
RETURN reduce(total = 0, one IN found | total + one[2]) AS total, found[..$limit] AS rows
