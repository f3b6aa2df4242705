// The values of a property of relationships that a text names.
MATCH (:`%label%`)-[r:`%relation%`]->(:`%label%`)
UNWIND `%values%` AS x
WITH x WHERE toLower(toStringOrNull(x)) IN $texts
RETURN DISTINCT $keys[`%place%`] AS key, toString(x) AS value
