// One exact relation chain from a set of entities, with the paths that execute it.
CALL kgdb.follow($nodes, $relations, $config)
YIELD batch, id, name, starts, count, paths, names, cut
RETURN batch, id, name, starts, count, paths, names, cut
