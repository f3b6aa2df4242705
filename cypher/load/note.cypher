// The end of each batch. The graph's own node is locked last, until the commit: either this batch is in
// before another load takes over, or it finds itself overtaken (no row) and is rolled back. The node
// notes the batch: all of the stage before `complete` are in, and those in `beyond`. `again`: it was
// in before, and only the answer to its commit was lost.
// Only the first SET reads what it sets: Neo4j locks the node for that in another order when it is locked
// already, and two batches would end in a deadlock.
MATCH (g:KnowledgeGraph {name: $name})
SET g.written = g.written + written
WITH g, written WHERE g.load = $load
WITH g, written, g.stage = $stage AS same,
     [number IN g.beyond WHERE number >= $complete] AS beyond, $batch < g.complete OR $batch IN g.beyond AS old
WITH g, written, same AND old AS again, CASE WHEN same THEN beyond + $batch ELSE [$batch] END AS beyond
SET g.beyond = beyond, g.stage = $stage, g.complete = $complete
RETURN written, again
