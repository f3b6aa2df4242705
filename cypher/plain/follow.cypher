// kgdb.follow without the plugin. A level holds, for each start, the nodes reached so far with the
// number of paths there and the first of them, written from the end backwards; paths are told
// apart only by the edges that a later step could use again (edges).
`%starts%`
WITH batch, missing, ambiguous, [] AS hubs, [] AS cut, nodes AS walked,
     [place IN range(0, size(nodes) - 1) | {
       start: place, node: nodes[place], edges: [], count: 1,
       paths: [[[`%id(nodes[place])%`,
                 `%name(nodes[place])%`]]]
     }] AS level
`%steps%`
CALL (level) {
  UNWIND level AS at
  WITH at.node AS end, count(DISTINCT at.start) AS starts, sum(at.count) AS count,
       collect(at.paths) AS paths
  WITH starts, count, paths, `%id(end)%` AS id,
       `%name(end)%` AS name
  ORDER BY starts DESC, count DESC, name, id
  RETURN collect({id: id, name: name, starts: starts, count: count, paths: paths}) AS ends
}
CALL (batch, ends) {
  UNWIND ends[..$limits[batch]] AS end
  CALL (end) {
    UNWIND end.paths AS paths
    UNWIND paths AS path
    WITH DISTINCT path ORDER BY path LIMIT $paths
    RETURN collect(reverse(path)) AS paths
  }
  RETURN collect({id: end.id, name: end.name, starts: end.starts, count: end.count,
                  paths: [path IN paths | [entity IN path | entity[0]]],
                  names: [path IN paths | [entity IN path | entity[1]]]}) AS rows
}
RETURN batch, missing, ambiguous, hubs,
       cut + CASE WHEN size(ends) > $limits[batch] THEN ['limit'] ELSE [] END AS cut, rows
