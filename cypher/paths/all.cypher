// All simple paths between the entities of a set.
CALL kgdb.paths.all($nodes, $config)
YIELD batch, source, target, hops, ids, names, relations, count, properties, cut
RETURN batch, source, target, hops, ids, names, relations, count, properties, cut
