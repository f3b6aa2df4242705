// The labels of entities.
MATCH (e:`%label%`) WHERE `%key(e)%` IN $ids
RETURN `%id(e)%` AS id, labels(e) AS labels
