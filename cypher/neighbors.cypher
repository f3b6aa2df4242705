// One-hop expansion.
CALL kgdb.neighbors($nodes, $config)
YIELD source, relation, direction, id, name, count, truncated
RETURN source, relation, direction, id, name, count, truncated
