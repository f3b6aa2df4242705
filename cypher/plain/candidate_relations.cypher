// For each chain: kgdb.relations.around its ends, without the plugin. The steps are those of follow.
`%starts%`
WITH batch, missing, ambiguous, [] AS hubs, [] AS cut, nodes AS walked,
     [place IN range(0, size(nodes) - 1) |
       {start: place, node: nodes[place], edges: [], count: 1, paths: []}] AS level
`%steps%`
CALL (level) {
  UNWIND level AS at
  WITH at.node AS node, count(DISTINCT at.start) AS starts, sum(at.count) AS count
  ORDER BY starts DESC, count DESC,
           `%name(node)%`,
           `%id(node)%`
  LIMIT $limit
  CALL (node) {
    MATCH (node)-[r]->(other)
    WITH type(r) AS relation, count(*) AS edges,
         count(CASE WHEN other:`%label%` THEN 1 END) AS inside
    WHERE inside > 0
    RETURN relation, 'out' AS direction, edges
    UNION ALL
    MATCH (node)<-[r]-(other)
    WITH type(r) AS relation, count(*) AS edges,
         count(CASE WHEN other:`%label%` THEN 1 END) AS inside
    WHERE inside > 0
    RETURN relation, 'in' AS direction, edges
  }
  WITH relation, direction, count(*) AS nodes, sum(edges) AS count
  ORDER BY count DESC, relation, direction
  RETURN collect({relation: relation, direction: direction, viaRelation: null, nodes: nodes,
                  count: count}) AS rows
}
RETURN batch, missing, ambiguous, hubs, cut, rows
