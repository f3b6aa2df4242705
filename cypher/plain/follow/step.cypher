// One step of kgdb.follow without the plugin.
// Hubs are told among all nodes that walks reach: walked, where a walk may not be a path.
CALL (batch, walked) {
  UNWIND walked AS node
  WITH DISTINCT node
  WHERE $maxDegree > 0 AND [`%degrees%`][$chains[batch][`%step%`]] > $maxDegree
  RETURN collect(`%id(node)%`) AS more
}
CALL (batch, walked) {
  UNWIND walked AS node
  WITH node
  WHERE $maxDegree > 0 AND $repeats[batch]
    AND coalesce([`%degrees%`][$chains[batch][`%step%`]], 0) <= $maxDegree
  CALL (batch, node) {
    `%branches%`
  }
  WITH DISTINCT other, edge IS NULL AS done
  WHERE $labels = [] OR done OR any(label IN labels(other) WHERE label IN $labels)
  RETURN collect(other) AS onwards
}
CALL (batch, level) {
  UNWIND level AS at
  WITH at, at.node AS node
  WHERE $maxDegree = 0 OR coalesce([`%degrees%`][$chains[batch][`%step%`]], 0) <= $maxDegree
  CALL (batch, node) {
    `%branches%`
  }
  WITH at, other, edge, parallels - size([used IN at.edges WHERE used = edge]) AS free
  WHERE free > 0 AND ($labels = [] OR edge IS NULL
                      OR any(label IN labels(other) WHERE label IN $labels))
  WITH at, other, free,
       [used IN at.edges + [edge] WHERE used[1] IN $later[batch][`%step%`]] AS edges,
       CASE WHEN edge IS NULL THEN at.paths ELSE [path IN at.paths |
         [[`%id(other)%`,
           `%name(other)%`]] + path
       ] END AS paths
  WITH at.start AS start, other, edges, sum(at.count * free) AS count, collect(paths) AS groups
  CALL (groups) {
    UNWIND groups AS paths
    UNWIND paths AS path
    WITH DISTINCT path ORDER BY path LIMIT $paths
    RETURN collect(path) AS paths
  }
  RETURN collect({start: start, node: other, edges: edges, count: count, paths: paths}) AS next
}
WITH batch, missing, ambiguous, hubs + more AS hubs,
     CASE WHEN $repeats[batch] THEN onwards ELSE [at IN next | at.node] END AS walked,
     CASE WHEN $maxPaths > 0 AND $repeats[batch] AND size(next) > $maxPaths AND NOT 'maxPaths' IN cut
          THEN cut + ['maxPaths'] ELSE cut END AS cut,
     CASE WHEN $maxPaths > 0 AND $repeats[batch] THEN next[..$maxPaths] ELSE next END AS level
