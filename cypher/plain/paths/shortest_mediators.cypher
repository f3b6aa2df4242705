// kgdb.paths.shortest without the plugin, where an edge at a mediator is half a hop: one level for
// each half hop. A level holds the shortest paths of its cost from each start.
`%starts%`
WITH batch, missing, ambiguous, nodes, [] AS found, [] AS before,
     [place IN range(0, size(nodes) - 1) | [place, elementId(nodes[place])]] AS seen,
     [place IN range(0, size(nodes) - 1) WHERE $bothOrders OR place < size(nodes) - 1 |
       {source: place, nodes: [nodes[place]], relations: [], count: 1, cost: 0}] AS level
`%levels%`
WITH batch, missing, ambiguous, nodes, found, [] AS hubs
`%hubs%`
`%ends%`
