// The best partial paths of the set.
CALL (reached) {
  UNWIND reached AS at
  WITH at WHERE $labels = [] OR any(label IN labels(at.node) WHERE label IN $labels)
  WITH at ORDER BY at.score DESC, at.ids, at.relations
  LIMIT $width
  RETURN collect(at) AS kept
}
WITH batch, missing, ambiguous, hubs, done + kept AS level
