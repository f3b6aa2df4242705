CALL (nodes, level) {
  UNWIND level AS at
  WITH at, at.nodes[-1] AS from
  CALL (from) {
    MATCH (from)-[r`%out%`]->(node:`%label%`)
    RETURN type(r) AS spec, node, count(*) AS parallels
    UNION ALL
    MATCH (from)<-[r`%in%`]-(node:`%label%`)
    RETURN '^' + type(r) AS spec, node, count(*) AS parallels
  }
  WITH at, node, spec, parallels, at.cost +
       CASE WHEN $mediators AND (from:Mediator OR node:Mediator) THEN 1 ELSE 2 END AS cost
  // At least one more edge has to fit.
  WHERE cost + CASE WHEN $mediators THEN 1 ELSE 2 END <= $most AND NOT node IN at.nodes
    AND ($maxDegree = 0 OR `%degree%` <= $maxDegree)
    AND ($labels = [] OR $mediators AND node:Mediator
         OR any(label IN labels(node) WHERE label IN $labels))
  RETURN collect({source: at.source, nodes: at.nodes + [node], cost: cost,
                  relations: at.relations + [spec], count: at.count * parallels}) AS next
}
WITH batch, missing, ambiguous, nodes, found, next AS level
