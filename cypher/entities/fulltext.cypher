// Full-text candidates for many queries at once.
UNWIND range(0, size($queries) - 1) AS query
CALL db.index.fulltext.queryNodes($index, $queries[query], {limit: $limit}) YIELD node, score
WITH query, `%id(node)%` AS id,
     `%name(node)%` AS name, score
ORDER BY query, score DESC, id
RETURN query, id, name, score
