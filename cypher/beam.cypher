// Beam search along relations that each have a similarity.
CALL kgdb.beam($nodes, $hops, $config)
YIELD batch, id, name, score, ids, names, relations, similarities, count, properties, cut
RETURN batch, id, name, score, ids, names, relations, similarities, count, properties, cut
