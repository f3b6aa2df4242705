// One exact relation chain from a set of entities, with the paths that execute it.
CALL kgdb.follow($nodes, $relations, $config)
YIELD id, name, starts, count, paths, names, truncated
RETURN id, name, starts, count, paths, names, truncated
