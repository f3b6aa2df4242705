// Deletes a limited number of a graph's entities with their relationships; repeated until none is left. It
// matches both labels: a node that kgdb did not load may have the graph's label, but not Entity too.
MATCH (e:`%label%`:Entity) WITH e LIMIT $limit
DETACH DELETE e
RETURN count(*) AS deleted
