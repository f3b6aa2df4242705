// The properties of the relationships that state each fact, by its place.
UNWIND range(0, size($facts) - 1) AS place
WITH place, $facts[place] AS fact
MATCH (head:`%label%` {id: fact[0]})-[r]->(tail:`%label%` {id: fact[2]}) WHERE type(r) = fact[1]
WITH place, properties(r) AS properties ORDER BY place, elementId(r)
RETURN place, collect(properties)[..$most] AS properties
