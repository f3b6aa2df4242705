// A number for each group.
`%of%`
`%grouped%`
UNWIND `%values%` AS x
WITH gid, gname, e, x, `%key%` AS key WHERE key IS NOT NULL
WITH gid, gname, `%reduced%` AS number
ORDER BY number DESC, gname, gid
WITH collect([gid, gname, number]) AS rows
RETURN size(rows) AS total, rows[..$limit] AS rows
