// The distinct relations around a set of entities: the menu that a method chooses from.
CALL kgdb.relations.around($nodes, $config)
YIELD batch, relation, direction, viaRelation, nodes, count, cut
RETURN batch, relation, direction, viaRelation, nodes, count, cut
