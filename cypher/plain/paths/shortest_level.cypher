CALL (nodes, level, before, seen) {
  UNWIND [at IN level | {at: at, cost: 1}] + [at IN before | {at: at, cost: 2}] AS further
  WITH further.at AS at, further.cost AS cost, further.at.nodes[-1] AS from
  CALL (from) {
    MATCH (from)-[r`%out%`]->(node:`%label%`)
    RETURN type(r) AS spec, node, count(*) AS parallels
    UNION ALL
    MATCH (from)<-[r`%in%`]-(node:`%label%`)
    RETURN '^' + type(r) AS spec, node, count(*) AS parallels
  }
  WITH at, node, spec, parallels
  WHERE cost = CASE WHEN from:Mediator OR node:Mediator THEN 1 ELSE 2 END
    AND NOT [at.source, elementId(node)] IN seen
  RETURN collect({
    source: at.source, nodes: at.nodes + [node], relations: at.relations + [spec],
    count: at.count * parallels, cost: `%cost%`,
    target: [place IN range(0, size(nodes) - 1) WHERE nodes[place] = node][0],
    through: ($maxDegree = 0 OR `%degree%` <= $maxDegree)
             AND ($labels = [] OR node:Mediator OR any(label IN labels(node) WHERE label IN $labels))
  }) AS reached
}
WITH batch, missing, ambiguous, nodes, level AS before,
     seen + [at IN reached | [at.source, elementId(at.nodes[-1])]] AS seen,
     found + [at IN reached WHERE at.target > at.source OR $bothOrders AND at.target IS NOT NULL] AS found,
     [at IN reached WHERE at.through] AS level
