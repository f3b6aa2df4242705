// Some relations of a graph into the catalog of Graph Data Science, all as one type: each type
// would be a graph of its own there.
MATCH (source:`%label%`)
OPTIONAL MATCH (source)-[r`%types%`]->(target:`%label%`)
WITH gds.graph.project(
  $name, source, target, {sourceNodeLabels: $labels, targetNodeLabels: $labels}, $config
) AS projected
RETURN projected.nodeCount AS nodes, projected.relationshipCount AS relationships
