// As gds_project_relations, each relationship with the weight of its relation.
MATCH (source:`%label%`)
OPTIONAL MATCH (source)-[r`%types%`]->(target:`%label%`)
WITH source, target, coalesce($weights[type(r)], $default) AS weight
WITH gds.graph.project(
  $name, source, target,
  {sourceNodeLabels: $labels, targetNodeLabels: $labels, relationshipProperties: {weight: weight}},
  $config
) AS projected
RETURN projected.nodeCount AS nodes, projected.relationshipCount AS relationships
