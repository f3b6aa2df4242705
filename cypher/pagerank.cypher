// PageRank of a small subgraph.
CALL kgdb.pagerank($nodes, $relationships, $config)
YIELD batch, id, name, score, iterations, converged, cut
RETURN batch, id, name, score, iterations, converged, cut
