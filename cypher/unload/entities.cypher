// A bounded part of a graph's entities, with their relationships; repeated until none is left. Both
// labels: a node of somebody else's may carry the graph's label, but not kgdb's as well.
MATCH (e:`%label%`:Entity) WITH e LIMIT $limit
DETACH DELETE e
RETURN count(*) AS deleted
