// The evidence for graphs of thought, in one round trip: beams along their chains, their embeddings,
// shortest paths between their entities, and what is around these.
CALL () {
  CALL kgdb.beam($starts, $hops, $beam)
  YIELD batch, id, name, score, ids, names, relations, similarities, count, cut
  RETURN collect({batch: batch, id: id, name: name, score: score, ids: ids, names: names,
                  relations: relations, similarities: similarities, count: count,
                  cut: cut}) AS beams
}
CALL () {
  CALL kgdb.got.match($thoughts, $groundings, $match)
  YIELD batch, id, name, score, ids, names, relations, similarities, triples, count, cut
  RETURN collect({batch: batch, id: id, name: name, score: score, ids: ids, names: names,
                  relations: relations, similarities: similarities, triples: triples,
                  count: count, cut: cut}) AS matches
}
CALL () {
  CALL kgdb.paths.shortest($entities, $shortest)
  YIELD batch, source, target, hops, ids, names, relations, count, cut
  RETURN collect({batch: batch, source: source, target: target, hops: hops, ids: ids,
                  names: names, relations: relations, count: count, cut: cut}) AS paths
}
CALL () {
  CALL kgdb.neighbors($entities, $neighbors)
  YIELD batch, source, relation, direction, id, name, count, via, viaRelation, cut
  RETURN collect({batch: batch, source: source, relation: relation, direction: direction, id: id,
                  name: name, count: count, via: via, viaRelation: viaRelation,
                  cut: cut}) AS neighbors
}
RETURN beams, matches, paths, neighbors
