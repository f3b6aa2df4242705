// The cheapest paths between two entities. What the projection does not know is read here: ids,
// names, and of the relationships between two nodes the one whose cost was taken.
MATCH (source:`%label%`), (target:`%label%`) WHERE `%key(source)%` = $source AND `%key(target)%` = $target
CALL gds.shortestPath.yens.stream($projection, {
  sourceNode: source, targetNode: target, k: $k, relationshipWeightProperty: $weight, concurrency: 1
}) YIELD index, nodeIds
WITH index, [node IN nodeIds | gds.util.asNode(node)] AS nodes
CALL (nodes) {
  UNWIND range(1, size(nodes) - 1) AS place
  CALL (nodes, place) {
    WITH nodes[place - 1] AS before, nodes[place] AS after
    MATCH (before)-[r`%either%`]-(after)
    WHERE (startNode(r) = before AND r`%out%`) OR (endNode(r) = before AND r`%in%`)
    WITH type(r) AS relation, startNode(r) <> before AS reverse
    WITH relation, reverse,
         coalesce(CASE WHEN reverse THEN $against[relation] ELSE $along[relation] END, $default) AS cost
    ORDER BY cost, relation, reverse LIMIT 1
    RETURN relation, reverse, cost
  }
  WITH place, relation, reverse, cost ORDER BY place
  RETURN collect(relation) AS relations, collect(reverse) AS reverses, collect(cost) AS costs
}
RETURN [n IN nodes | `%id(n)%`] AS ids,
       [n IN nodes | `%name(n)%`] AS names,
       relations, reverses, costs
ORDER BY index
