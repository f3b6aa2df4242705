// Entities by their ids.
MATCH (e:`%label%`) WHERE `%key(e)%` IN `%ids%`
WITH e, [] AS proof, 0 AS rank
