// For each relation chain: the menu at its ends, in one round trip and without the ends travelling.
UNWIND range(0, size($chains) - 1) AS chain
CALL (chain) {
  CALL kgdb.follow($starts[chain], $chains[chain], $follow) YIELD id
  RETURN collect(id) AS ends
}
CALL kgdb.relations.around(ends, $config) YIELD relation, direction, viaRelation, nodes, count
RETURN chain, relation, direction, viaRelation, nodes, count
