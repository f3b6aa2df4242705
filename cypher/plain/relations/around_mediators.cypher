// kgdb.relations.around without the plugin, where a relation that leads to mediators is told with
// those that lead on from them.
`%starts%`
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
  RETURN collect({source: node, relation: relation, direction: direction, back: back,
                  other: other, edges: edges}) AS links
}
CALL (nodes, links) {
  UNWIND nodes + [link IN links WHERE link.other:Mediator | link.other] AS node
  WITH DISTINCT node WHERE $maxDegree > 0 AND `%degree%` > $maxDegree
  RETURN collect(`%id(node)%`) AS hubs
}
CALL (links) {
  UNWIND links AS link
  CALL (link) {
    WITH link WHERE NOT link.other:Mediator
    RETURN null AS viaRelation, link.edges AS ways
    UNION ALL
    WITH link, link.other AS node WHERE link.other:Mediator
    WITH link, node WHERE $maxDegree = 0 OR `%degree%` <= $maxDegree
    MATCH (node)-[r`%out%`]->(next)
    WITH link, type(r) AS viaRelation, count(*) AS further,
         count(CASE WHEN next:`%label%` THEN 1 END) AS inside
    WHERE inside > 0
    // Not back over the relationship that led here.
    RETURN viaRelation,
           link.edges * (further - CASE viaRelation WHEN link.back THEN 1 ELSE 0 END) AS ways
    UNION ALL
    WITH link, link.other AS node WHERE link.other:Mediator
    WITH link, node WHERE $maxDegree = 0 OR `%degree%` <= $maxDegree
    MATCH (node)<-[r`%in%`]-(next)
    WITH link, '^' + type(r) AS viaRelation, count(*) AS further,
         count(CASE WHEN next:`%label%` THEN 1 END) AS inside
    WHERE inside > 0
    RETURN viaRelation,
           link.edges * (further - CASE viaRelation WHEN link.back THEN 1 ELSE 0 END) AS ways
  }
  WITH * WHERE ways > 0
  WITH link.relation AS relation, link.direction AS direction, viaRelation,
       count(DISTINCT link.source) AS having, sum(ways) AS count
  ORDER BY count DESC, relation, direction, coalesce(viaRelation, '')
  RETURN collect({relation: relation, direction: direction, viaRelation: viaRelation,
                  nodes: having, count: count}) AS rows
}
RETURN batch, missing, ambiguous, hubs,
       CASE WHEN size(rows) > $limit THEN ['limit'] ELSE [] END AS cut,
       rows[..$limit] AS rows
