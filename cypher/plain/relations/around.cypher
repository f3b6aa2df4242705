// kgdb.relations.around without the plugin. The other ends are not looked at.
`%starts%`
CALL (nodes) {
  UNWIND nodes AS node
  CALL (node) {
    MATCH (node)-[r`%out%`]->()
    RETURN type(r) AS relation, 'out' AS direction, count(*) AS edges
    UNION ALL
    MATCH (node)<-[r`%in%`]-()
    RETURN type(r) AS relation, 'in' AS direction, count(*) AS edges
  }
  WITH relation, direction, count(*) AS having, sum(edges) AS count
  ORDER BY count DESC, relation, direction
  RETURN collect({relation: relation, direction: direction, viaRelation: null, nodes: having,
                  count: count}) AS rows
}
RETURN batch, missing, ambiguous, [] AS hubs,
       CASE WHEN size(rows) > $limit THEN ['limit'] ELSE [] END AS cut,
       rows[..$limit] AS rows
