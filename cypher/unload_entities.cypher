// A bounded part of a graph's entities, with their relationships; repeated until none is left.
MATCH (e:`%label%`) WITH e LIMIT $limit
DETACH DELETE e
RETURN count(*) AS deleted
