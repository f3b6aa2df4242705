// Exact relation chains from sets of entities, with the paths that execute them. Sets with the same
// options go together; places tells which of all sets each of a group is.
UNWIND $groups AS of
CALL kgdb.follow(of.nodes, of.relations, of.config)
YIELD batch, id, name, starts, count, paths, names, properties, cut
WITH of.places[batch] AS batch, id, name, starts, count, paths, names, properties, cut
RETURN batch, id, name, starts, count, paths, names, properties, cut
