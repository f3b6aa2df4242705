// The paths of each pair in order, as rows.
CALL (nodes, found) {
  UNWIND found AS path
  WITH path, [n IN path.nodes | `%id(n)%`] AS ids
  ORDER BY path.cost, ids, path.relations
  WITH path.source AS source, path.target AS target, collect({
    source: ids[0], target: ids[-1], hops: (path.cost + 1) / 2, ids: ids,
    names: [n IN path.nodes | `%name(n)%`],
    relations: path.relations, count: path.count, cost: path.cost
  }) AS paths
  ORDER BY source, target
  RETURN collect(CASE WHEN $first THEN paths[..1] ELSE paths END) AS pairs
}
CALL (pairs) {
  UNWIND pairs AS paths
  UNWIND CASE $perPair WHEN 0 THEN paths ELSE paths[..$perPair] END AS row
  RETURN collect(row) AS rows
}
RETURN batch, missing, ambiguous, hubs,
       CASE WHEN $perPair > 0 AND any(paths IN pairs WHERE size(paths) > $perPair)
            THEN ['perPair'] ELSE [] END
       + CASE WHEN size(rows) > $limit THEN ['limit'] ELSE [] END AS cut,
       rows[..$limit] AS rows
