// Entities by their name.
MATCH (e:`%label%`) WHERE e.`%name%` = `%text%`
WITH e, [] AS proof, 0 AS rank
