// The labels of entities.
MATCH (e:`%label%`) WHERE e.`%id%` IN $ids
RETURN `%own_id%` AS id, labels(e) AS labels
