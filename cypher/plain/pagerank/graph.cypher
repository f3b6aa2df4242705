// The relationships of the graph among the nodes.
  UNWIND range(0, size(nodes) - 1) AS place
  WITH place, nodes[place] AS node
  CALL (node, nodes) {
    MATCH (node)-[`%out%`]->(other) WHERE other IN nodes RETURN other
    UNION ALL
    MATCH (node)<-[`%in%`]-(other) WHERE other IN nodes RETURN other
  }
  WITH other, place ORDER BY place
  WITH other, collect(place) AS origins
  WITH [place IN range(0, size(nodes) - 1) WHERE nodes[place] = other][0] AS place, origins
  WITH collect({place: place, origins: origins}) AS linked
  RETURN [place IN range(0, size(nodes) - 1) |
    coalesce([each IN linked WHERE each.place = place][0].origins, [])] AS incoming
