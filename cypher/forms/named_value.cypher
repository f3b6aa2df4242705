// The values of a property that a text names, among those of one label.
MATCH (e:(`%label%`)&`%of%`)
UNWIND `%values%` AS x
WITH x WHERE toLower(toStringOrNull(x)) IN $texts
RETURN DISTINCT $keys[`%place%`] AS key, toString(x) AS value
