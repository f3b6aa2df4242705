// The end of each batch. The graph's own node is locked last, until the commit: either this batch is in
// before another load takes over, or it finds itself overtaken (no row) and is rolled back. The node
// notes the batch: all of the stage before `complete` are in, and those in `beyond`. `again`: it was
// in before, and only the answer to its commit was lost.
MATCH (g:KnowledgeGraph {name: $name})
SET g.written = g.written + written
WITH g, written WHERE g.load = $load
WITH g, written, g.stage = $stage AND ($batch < g.complete OR $batch IN g.beyond) AS again
SET g.beyond = CASE WHEN g.stage = $stage
               THEN [number IN g.beyond WHERE number >= $complete] + $batch ELSE [$batch] END,
    g.stage = $stage, g.complete = $complete
RETURN written, again
