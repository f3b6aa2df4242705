// kgdb.beam without the plugin: one stage for each hop. A level holds the partial paths; edges are
// those a path uses, as parallel ones make up its count.
`%starts%`
WITH batch, missing, ambiguous, [] AS hubs,
     [start IN nodes | {
       node: start, edges: [], count: 1, score: 0.0, relations: [], similarities: [],
       ids: [`%id(start)%`],
       names: [`%name(start)%`]
     }] AS level
`%stages%`
WITH batch, collect({missing: missing, ambiguous: ambiguous, hubs: hubs, level: level})[0] AS found
CALL (found) {
  UNWIND found.level AS at
  WITH at ORDER BY at.score DESC, at.ids, at.relations
  LIMIT $width
  RETURN collect({id: at.ids[-1], name: at.names[-1], score: at.score, ids: at.ids,
                  names: at.names, relations: at.relations, similarities: at.similarities,
                  count: at.count}) AS rows
}
RETURN batch, found.missing AS missing, found.ambiguous AS ambiguous, found.hubs AS hubs,
       [] AS cut, rows
