// kgdb.relations.around without the plugin, where a relation that leads to mediators is told with
// those that lead on from them.
`%starts%`
CALL (nodes) {
  UNWIND nodes AS node
  WITH node WHERE $maxDegree > 0 AND `%degree%` > $maxDegree
  RETURN collect(coalesce(toString(node.`%id%`), elementId(node))) AS hubs
}
CALL (nodes) {
  UNWIND nodes AS node
  WITH node WHERE $maxDegree = 0 OR `%degree%` <= $maxDegree
  CALL (node) {
    MATCH (node)-[r`%out%`]->(other:`%label%`)
    RETURN type(r) AS relation, 'out' AS direction, '^' + type(r) AS back, other, count(*) AS edges
    UNION ALL
    MATCH (node)<-[r`%in%`]-(other:`%label%`)
    RETURN type(r) AS relation, 'in' AS direction, type(r) AS back, other, count(*) AS edges
  }
  CALL (other, back, edges) {
    WITH * WHERE NOT other:Mediator
    RETURN null AS viaRelation, edges AS ways
    UNION ALL
    WITH * WHERE other:Mediator
    MATCH (other)-[r`%out%`]->()
    WITH back, edges, type(r) AS viaRelation, count(*) AS further
    // Not back over the relationship that led here.
    RETURN viaRelation, edges * (further - CASE viaRelation WHEN back THEN 1 ELSE 0 END) AS ways
    UNION ALL
    WITH * WHERE other:Mediator
    MATCH (other)<-[r`%in%`]-()
    WITH back, edges, '^' + type(r) AS viaRelation, count(*) AS further
    RETURN viaRelation, edges * (further - CASE viaRelation WHEN back THEN 1 ELSE 0 END) AS ways
  }
  WITH * WHERE ways > 0
  WITH relation, direction, viaRelation, count(DISTINCT node) AS having, sum(ways) AS count
  ORDER BY count DESC, relation, direction, coalesce(viaRelation, '')
  RETURN collect({relation: relation, direction: direction, viaRelation: viaRelation,
                  nodes: having, count: count}) AS rows
}
RETURN batch, missing, ambiguous, hubs,
       CASE WHEN size(rows) > $limit THEN ['limit'] ELSE [] END AS cut,
       rows[..$limit] AS rows
