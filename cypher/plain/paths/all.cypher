// kgdb.paths.all without the plugin. A level holds the simple paths of one length from each start;
// its paths are closed at the other entities of the set before the next level is made.
`%starts%`
WITH batch, missing, ambiguous, nodes, [] AS found,
     [place IN range(0, size(nodes) - 1) WHERE $bothOrders OR place < size(nodes) - 1 |
       {source: place, nodes: [nodes[place]], relations: [], count: 1, cost: 0}] AS level
`%levels%`
WITH batch, missing, ambiguous, nodes, found, [] AS hubs
`%hubs%`
`%ends%`
