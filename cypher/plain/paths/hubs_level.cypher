CALL (level, before, seen) {
  UNWIND [at IN level | {at: at, cost: 1}] + [at IN before | {at: at, cost: 2}] AS further
  WITH further.at.source AS source, further.cost AS cost, further.at.node AS from
  CALL (from) {
    MATCH (from)-[r`%out%`]->(node:`%label%`) RETURN node
    UNION
    MATCH (from)<-[r`%in%`]-(node:`%label%`) RETURN node
  }
  WITH source, node, from, cost
  WHERE cost = CASE WHEN $mediators AND (from:Mediator OR node:Mediator) THEN 1 ELSE 2 END
    AND NOT [source, elementId(node)] IN seen
    AND ($labels = [] OR $mediators AND node:Mediator
         OR any(label IN labels(node) WHERE label IN $labels))
  WITH DISTINCT source, node
  RETURN collect({source: source, node: node, hub: `%degree%` > $maxDegree}) AS reached
}
WITH batch, missing, ambiguous, nodes, found, level AS before,
     seen + [at IN reached | [at.source, elementId(at.node)]] AS seen,
     hubs + [at IN reached WHERE at.hub |
       `%id(at.node)%`] AS hubs,
     [at IN reached WHERE NOT at.hub] AS level
