// One-hop expansion.
CALL kgdb.neighbors($nodes, $config)
YIELD batch, source, relation, direction, id, name, count, via, viaRelation, properties, cut
RETURN batch, source, relation, direction, id, name, count, via, viaRelation, properties, cut
