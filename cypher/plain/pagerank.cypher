// kgdb.pagerank without the plugin: the subgraph in lists, by the places of its nodes. incoming[i]
// holds the places that the edges into node i come from.
`%starts%`
CALL (batch, nodes) {
  `%edges%`
}
CALL (incoming) {
  UNWIND incoming AS origins
  UNWIND origins AS origin
  WITH origin, count(*) AS edges ORDER BY origin
  RETURN collect([origin, edges]) AS outgoing
}
WITH batch, missing, ambiguous, nodes, incoming,
     [place IN range(0, size(nodes) - 1) |
       coalesce([each IN outgoing WHERE each[0] = place][0][1], 0)] AS degrees,
     [place IN range(0, size(nodes) - 1) |
       CASE WHEN $sources[batch] IS NULL OR place IN $sources[batch]
            THEN 1.0 - $dampingFactor ELSE 0.0 END] AS start
// A list of one element, taken out of it again, gives a value a name.
WITH batch, missing, ambiguous, nodes, reduce(
  now = {ranks: start, delta: start, iterations: 1, converged: false},
  iteration IN range(1, $maxIterations - 1) |
  CASE WHEN now.converged THEN now ELSE
    [sent IN [[place IN range(0, size(nodes) - 1) |
      CASE WHEN degrees[place] > 0 AND (iteration = 1 OR now.delta[place] > $tolerance)
           THEN now.delta[place] / degrees[place] ELSE 0.0 END]] |
    [delta IN [[origins IN incoming |
      $dampingFactor * reduce(sum = 0.0, origin IN origins | sum + sent[origin])]] |
      {ranks: [place IN range(0, size(nodes) - 1) | now.ranks[place] + delta[place]],
       delta: delta, iterations: iteration + 1,
       converged: none(change IN delta WHERE change > $tolerance)}][0]][0]
  END
) AS done
CALL (nodes, done) {
  UNWIND range(0, size(nodes) - 1) AS place
  WITH done.ranks[place] AS score, nodes[place] AS node
  WITH score, `%id(node)%` AS id,
       `%name(node)%` AS name
  ORDER BY score DESC, id
  RETURN collect({id: id, name: name, score: score, converged: done.converged,
                  // As Graph Data Science counts: not the one that found nothing to pass on.
                  iterations: done.iterations - CASE WHEN done.converged THEN 1 ELSE 0 END
         }) AS rows
}
RETURN batch, missing, ambiguous, [] AS hubs,
       CASE WHEN $limit > 0 AND size(rows) > $limit THEN ['limit'] ELSE [] END AS cut,
       CASE $limit WHEN 0 THEN rows ELSE rows[..$limit] END AS rows
