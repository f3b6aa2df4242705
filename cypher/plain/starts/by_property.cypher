// An id may be a number in the database.
OPTIONAL MATCH (n:`%label%`) WHERE n.`%property%` IN $starts[batch][place]
