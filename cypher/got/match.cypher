// Graphs of thought as patterns: their best embeddings in the knowledge graph.
CALL kgdb.got.match($thoughts, $groundings, $config)
YIELD batch, id, name, score, ids, names, relations, similarities, triples, count, cut
RETURN batch, id, name, score, ids, names, relations, similarities, triples, count, cut
