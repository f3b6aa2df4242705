// One-hop expansion.
CALL kgdb.neighbors($nodes, $config)
YIELD batch, source, relation, direction, id, name, count, via, viaRelation, cut
RETURN batch, source, relation, direction, id, name, count, via, viaRelation, cut
