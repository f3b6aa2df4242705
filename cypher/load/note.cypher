// The end of each batch. It locks the graph's own node last, until the commit: either this batch commits
// before another load takes over, or it finds another token (no row) and is rolled back. The node records
// the batch: the batches before `complete` and those in `beyond` are written. `again`: an earlier
// transaction wrote the batch, and only the reply to its commit was lost.
// Only the first SET reads the property that it sets: on a locked node Neo4j would take those locks in
// another order, and two batches would end in a deadlock.
MATCH (g:KnowledgeGraph {name: $name})
SET g.written = g.written + written
WITH g, written WHERE g.load = $load
WITH g, written, g.stage = $stage AS same,
     [number IN g.beyond WHERE number >= $complete] AS beyond, $batch < g.complete OR $batch IN g.beyond AS old
WITH g, written, same AND old AS again, CASE WHEN same THEN beyond + $batch ELSE [$batch] END AS beyond
SET g.beyond = beyond, g.stage = $stage, g.complete = $complete
RETURN written, again
