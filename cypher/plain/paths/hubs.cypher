// The hubs that a path could have gone through: level by level of half hops from each start.
WITH batch, missing, ambiguous, nodes, found, hubs, [] AS before,
     [place IN range(0, size(nodes) - 1) | [place, elementId(nodes[place])]] AS seen,
     [place IN range(0, size(nodes) - 1) WHERE size(nodes) > 1 |
       {source: place, node: nodes[place]}] AS level
`%levels%`
