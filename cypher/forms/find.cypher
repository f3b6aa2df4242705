// Entities by their ids.
MATCH (e:`%label%`) WHERE `%key(e)%` IN `%ids%`
RETURN e, [] AS proof, 0 AS rank
