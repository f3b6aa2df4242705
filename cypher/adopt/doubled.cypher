// Ids that several nodes share.
MATCH (e:`%label%`)
WITH e.`%id%` AS id, count(*) AS nodes WHERE nodes > 1
RETURN toString(id) AS id, nodes ORDER BY nodes DESC, id LIMIT $limit
