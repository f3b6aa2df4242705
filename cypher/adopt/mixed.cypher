// Ids that are a number on one node and the same text on another.
MATCH (e:`%label%`) WHERE e.`%id%` IS :: INTEGER NOT NULL
MATCH (other:`%label%`) WHERE other.`%id%` = toString(e.`%id%`)
RETURN other.`%id%` AS id, 2 AS nodes LIMIT $limit
