// The evidence for graphs of thought, question by question: beams along their chains, their
// embeddings, all ends of some chains, shortest paths between their entities, and what is around
// these.
UNWIND $wanted AS of
CALL (of) {
  CALL kgdb.beam(of.starts, of.hops, $beam)
  YIELD batch, id, name, score, ids, names, relations, similarities, count, cut
  RETURN collect({batch: batch, id: id, name: name, score: score, ids: ids, names: names,
                  relations: relations, similarities: similarities, count: count,
                  cut: cut}) AS beams
}
CALL (of) {
  CALL kgdb.got.match(of.thoughts, of.groundings, $match)
  YIELD batch, id, name, score, ids, names, relations, similarities, triples, count, cut
  RETURN collect({batch: batch, id: id, name: name, score: score, ids: ids, names: names,
                  relations: relations, similarities: similarities, triples: triples,
                  count: count, cut: cut}) AS matches
}
CALL (of) {
  CALL kgdb.follow(of.sources, of.chains, $follow)
  YIELD batch, id, name, starts, count, paths, names, cut
  RETURN collect({batch: batch, id: id, name: name, starts: starts, count: count, paths: paths,
                  names: names, cut: cut}) AS ends
}
CALL (of) {
  CALL kgdb.paths.shortest(of.entities, $shortest)
  YIELD batch, source, target, hops, ids, names, relations, count, cut
  RETURN collect({batch: batch, source: source, target: target, hops: hops, ids: ids,
                  names: names, relations: relations, count: count, cut: cut}) AS paths
}
CALL (of) {
  CALL kgdb.neighbors(of.entities, $neighbors)
  YIELD batch, source, relation, direction, id, name, count, via, viaRelation, cut
  RETURN collect({batch: batch, source: source, relation: relation, direction: direction, id: id,
                  name: name, count: count, via: via, viaRelation: viaRelation,
                  cut: cut}) AS neighbors
}
RETURN beams, matches, ends, paths, neighbors
