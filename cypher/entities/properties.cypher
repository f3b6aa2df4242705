// Entities by their ids, with their labels and their properties, long values cut.
UNWIND $ids AS asked
MATCH (e:`%label%`) WHERE `%key(e)%` = asked
RETURN `%id(e)%` AS id, `%name(e)%` AS name, labels(e) AS labels, `%properties%` AS properties
