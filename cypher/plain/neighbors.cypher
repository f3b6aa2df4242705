// kgdb.neighbors without the plugin.
`%starts%`
CALL (nodes) {
  UNWIND range(0, size(nodes) - 1) AS place
  WITH place, nodes[place] AS node
  WHERE $maxDegree = 0 OR `%degree%` <= $maxDegree
  CALL (node) {
    MATCH (node)-[r`%out%`]->(other:`%label%`)
    RETURN type(r) AS relation, 'out' AS direction, other, count(*) AS parallels
    UNION ALL
    MATCH (node)<-[r`%in%`]-(other:`%label%`)
    RETURN type(r) AS relation, 'in' AS direction, other, count(*) AS parallels
  }
  RETURN collect({place: place, source: node, relation: relation, direction: direction, other: other,
                  parallels: parallels, passed: $mediators AND other:Mediator}) AS links
}
CALL (nodes, links) {
  UNWIND nodes + [link IN links WHERE link.passed | link.other] AS node
  WITH DISTINCT node WHERE $maxDegree > 0 AND `%degree%` > $maxDegree
  RETURN collect(`%id(node)%`) AS hubs
}
CALL (links) {
  UNWIND links AS link
  CALL (link) {
    WITH link, link.other AS entity WHERE NOT link.passed
    RETURN entity, link.parallels AS count, null AS via, null AS viaRelation
    UNION ALL
    WITH link, link.other AS node
    WHERE link.passed AND ($maxDegree = 0 OR `%degree%` <= $maxDegree)
    MATCH (node)-[r`%out%`]->(entity:`%label%`)
    WHERE entity <> link.source AND NOT entity:Mediator
    WITH link, node, entity, type(r) AS viaRelation, count(*) AS further
    RETURN entity, link.parallels * further AS count, node AS via, viaRelation
    UNION ALL
    WITH link, link.other AS node
    WHERE link.passed AND ($maxDegree = 0 OR `%degree%` <= $maxDegree)
    MATCH (node)<-[r`%in%`]-(entity:`%label%`)
    WHERE entity <> link.source AND NOT entity:Mediator
    WITH link, node, entity, '^' + type(r) AS viaRelation, count(*) AS further
    RETURN entity, link.parallels * further AS count, node AS via, viaRelation
  }
  WITH * WHERE $labels = [] OR any(label IN labels(entity) WHERE label IN $labels)
  WITH link, count, viaRelation,
       `%id(entity)%` AS id,
       `%name(entity)%` AS name,
       `%id(via)%` AS via
  ORDER BY name, id, via
  WITH link.place AS place, link.relation AS relation, link.direction AS direction, viaRelation,
       collect({source: `%id(link.source)%`,
                relation: link.relation, direction: link.direction, id: id, name: name,
                count: count, via: via, viaRelation: viaRelation}) AS group
  ORDER BY place, relation, direction, coalesce(viaRelation, '')
  RETURN collect(group) AS groups
}
CALL (groups) {
  UNWIND groups AS group
  UNWIND CASE $perRelation WHEN 0 THEN group ELSE group[..$perRelation] END AS row
  RETURN collect(row) AS rows
}
RETURN batch, missing, ambiguous, hubs,
       CASE WHEN $perRelation > 0 AND any(group IN groups WHERE size(group) > $perRelation)
            THEN ['perRelation'] ELSE [] END
       + CASE WHEN size(rows) > $limit THEN ['limit'] ELSE [] END AS cut,
       rows[..$limit] AS rows
