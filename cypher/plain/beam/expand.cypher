// Every partial path of the level by one edge further: of the hop's relations that its end has, the
// best ones. Each of $hops[batch][hop] is {place, spec, relation, out, similarity}, best first. Where
// no mediators go on, only the best are gathered: through hubs there are millions.
CALL (batch, level) {
  UNWIND level AS at
  WITH at, at.node AS node
  WITH at, [`%degrees%`] AS degrees
  WITH at, degrees, [step IN $hops[batch][`%hop%`] WHERE degrees[step.place] > 0] AS present
  WITH at, degrees, CASE $relationsPerNode
         WHEN 0 THEN present ELSE present[..$relationsPerNode] END AS chosen
  RETURN collect({at: at, chosen: chosen, hub: $maxDegree > 0 AND $maxDegree <
                  reduce(degree = 0, step IN chosen | degree + degrees[step.place])}) AS menus
}
// The server counts, for each row that it sorts, all that the row has come with: an aggregation
// leaves that behind.
WITH batch, collect({
  missing: missing, ambiguous: ambiguous, done: done, arrived: arrived,
  hubs: hubs + [menu IN menus WHERE menu.hub | menu.at.ids[-1]],
  menus: [menu IN menus WHERE NOT menu.hub | {at: menu.at, chosen: menu.chosen}]
})[0] AS hop
CALL (hop) {
  UNWIND hop.menus AS menu
  WITH menu.at AS at, menu.at.node AS node, menu.chosen AS chosen
  CALL (node, chosen) {
    WITH *, [step IN chosen WHERE step.out | step.relation] AS wanted WHERE wanted <> []
    MATCH (node)-[r`%out%`]->(other:`%label%`) WHERE type(r) IN wanted
    RETURN type(r) AS spec, other, count(*) AS parallels,
           [elementId(node), type(r), elementId(other)] AS edge
    UNION ALL
    WITH *, [step IN chosen WHERE NOT step.out | step.relation] AS wanted WHERE wanted <> []
    MATCH (node)<-[r`%in%`]-(other:`%label%`) WHERE type(r) IN wanted
    RETURN '^' + type(r) AS spec, other, count(*) AS parallels,
           [elementId(other), type(r), elementId(node)] AS edge
  }
  WITH at, other, spec, edge, [step IN chosen WHERE step.spec = spec][0].similarity AS similarity,
       parallels - size([used IN at.edges WHERE used = edge]) AS free
  WHERE free > 0
  WITH {
    node: other, edges: at.edges + [edge], count: at.count * free,
    before: at.score, score: at.score + similarity, relations: at.relations + [spec],
    similarities: at.similarities + [similarity],
    ids: at.ids + [`%id(other)%`],
    names: at.names + [`%name(other)%`]
  } AS at
  `%best%`
  RETURN collect(at) AS reached
}
WITH batch, hop.missing AS missing, hop.ambiguous AS ambiguous, hop.done AS done,
     hop.arrived AS arrived, hop.hubs AS hubs, reached
