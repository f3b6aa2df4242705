// A number for each group.
CALL () {
`%of%`
}
`%grouped%`
UNWIND `%values%` AS x
WITH gid, gname, e, `%key%` AS x
WITH gid, gname, count(DISTINCT e) AS size, `%reduced%` AS number
ORDER BY number DESC, gname, gid
WITH collect([gid, gname, number, size]) AS rows
RETURN size(rows) AS total, rows[..$limit] AS rows
