// kgdb.paths.shortest without the plugin, where every edge is a whole hop.
`%starts%`
CALL (nodes) {
  UNWIND range(0, size(nodes) - 1) AS source
  UNWIND range(0, size(nodes) - 1) AS target
  WITH source, target, nodes[source] AS first, nodes[target] AS last
  WHERE target > source OR $bothOrders AND target <> source
  MATCH path = ALL SHORTEST (first) (
    (from)-[r`%either%`]-(node:`%label%`)
    WHERE (startNode(r) = from AND r`%out%` OR endNode(r) = from AND r`%in%`)
      AND (node = last OR ($maxDegree = 0 OR `%degree%` <= $maxDegree)
           AND ($labels = [] OR any(label IN labels(node) WHERE label IN $labels)))
  ){1,`%hops%`} (last)
  WITH source, target, nodes(path) AS visited,
       [place IN range(0, length(path) - 1) |
         CASE WHEN startNode(relationships(path)[place]) = nodes(path)[place] THEN '' ELSE '^' END
         + type(relationships(path)[place])] AS relations
  WITH source, target, visited, relations, count(*) AS count
  RETURN collect({source: source, target: target, nodes: visited, relations: relations,
                  count: count, cost: 2 * size(relations)}) AS found
}
WITH batch, missing, ambiguous, nodes, found, [] AS hubs
`%hubs%`
`%ends%`
