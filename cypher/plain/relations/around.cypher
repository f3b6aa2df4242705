// kgdb.relations.around without the plugin. A relation that only leaves the graph is none.
`%starts%`
CALL (nodes) {
  UNWIND nodes AS node
  CALL (node) {
    MATCH (node)-[r`%out%`]->(other)
    WITH type(r) AS relation, count(*) AS edges,
         count(CASE WHEN other:`%label%` THEN 1 END) AS inside
    WHERE inside > 0
    RETURN relation, 'out' AS direction, edges
    UNION ALL
    MATCH (node)<-[r`%in%`]-(other)
    WITH type(r) AS relation, count(*) AS edges,
         count(CASE WHEN other:`%label%` THEN 1 END) AS inside
    WHERE inside > 0
    RETURN relation, 'in' AS direction, edges
  }
  WITH relation, direction, count(*) AS having, sum(edges) AS count
  ORDER BY count DESC, relation, direction
  RETURN collect({relation: relation, direction: direction, viaRelation: null, nodes: having,
                  count: count}) AS rows
}
RETURN batch, missing, ambiguous, [] AS hubs,
       CASE WHEN size(rows) > $limit THEN ['limit'] ELSE [] END AS cut,
       rows[..$limit] AS rows
