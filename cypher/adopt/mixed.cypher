// Ids that one node has as a number and another as a text.
MATCH (e:`%label%`) WHERE e.`%id%` IS :: INTEGER NOT NULL
MATCH (other:`%label%`) WHERE other.`%id%` = toString(e.`%id%`)
RETURN other.`%id%` AS id, 2 AS nodes LIMIT $limit
