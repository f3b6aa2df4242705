// Entities by their name.
MATCH (e:`%label%`) WHERE `%name%` = `%text%`
RETURN e, [] AS proof, 0 AS rank
