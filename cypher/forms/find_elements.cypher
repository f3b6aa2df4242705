// Entities by the ids that the database gives them.
MATCH (e:`%label%`) WHERE elementId(e) IN `%ids%`
RETURN e, [] AS proof, 0 AS rank
