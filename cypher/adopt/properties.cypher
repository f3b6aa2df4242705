// The properties of a sample of the nodes with a label, by the type of the value.
MATCH (e:`%label%`)
WITH e LIMIT $sample
UNWIND keys(e) AS property
WITH property, valueType(e[property]) AS type, toStringOrNull(e[property]) AS value
RETURN property, type, count(*) AS nodes, count(DISTINCT value) AS different,
       max(size(value)) AS longest, avg(size(value)) AS length,
       collect(DISTINCT left(value, $shown))[..$examples] AS examples
ORDER BY property, type
