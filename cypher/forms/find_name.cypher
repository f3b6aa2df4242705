// Entities by their name.
MATCH (e:`%label%`) WHERE e.`%name%` = `%text%`
RETURN e, [] AS proof, 0 AS rank
