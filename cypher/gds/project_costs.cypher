// One arc for each ordered pair of entities that a relationship joins, at the least cost: of
// parallel relationships no other can be on a cheapest path.
MATCH (source:`%label%`)
OPTIONAL MATCH (source)-[r`%either%`]-(target:`%label%`)
WHERE source <> target
  AND ((startNode(r) = source AND r`%out%`) OR (endNode(r) = source AND r`%in%`))
WITH source, target, min(CASE
    WHEN startNode(r) = source THEN coalesce($along[type(r)], $default)
    ELSE coalesce($against[type(r)], $default)
  END) AS weight
WITH gds.graph.project(
  $name, source, target,
  {sourceNodeLabels: $labels, targetNodeLabels: $labels, relationshipProperties: {weight: weight}}
) AS projected
RETURN projected.nodeCount AS nodes, projected.relationshipCount AS relationships
