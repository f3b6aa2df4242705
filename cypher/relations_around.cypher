// The distinct relations around a set of entities: the menu that a method chooses from.
CALL kgdb.relations.around($nodes, $config)
YIELD relation, direction, nodes, count, truncated
RETURN relation, direction, nodes, count, truncated
