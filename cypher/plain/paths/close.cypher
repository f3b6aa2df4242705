CALL (nodes, level) {
  UNWIND level AS at
  UNWIND range(0, size(nodes) - 1) AS place
  WITH at, at.nodes[-1] AS node, place, nodes[place] AS other
  WHERE (place > at.source OR $bothOrders) AND NOT other IN at.nodes
  CALL (node, other) {
    MATCH (node)-[r`%out%`]->(other) RETURN type(r) AS spec, count(*) AS parallels
    UNION ALL
    MATCH (node)<-[r`%in%`]-(other) RETURN '^' + type(r) AS spec, count(*) AS parallels
  }
  WITH at, place, other, spec, parallels, at.cost +
       CASE WHEN $mediators AND (node:Mediator OR other:Mediator) THEN 1 ELSE 2 END AS cost
  WHERE cost <= $most
  RETURN collect({source: at.source, target: place, nodes: at.nodes + [other], cost: cost,
                  relations: at.relations + [spec], count: at.count * parallels}) AS closed
}
WITH batch, missing, ambiguous, nodes, found + closed AS found, level
