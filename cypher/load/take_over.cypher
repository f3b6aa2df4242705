// Takes over an interrupted load of the same source. `load` is the token of the new job; the lock waits for a
// batch that is being committed.
MATCH (g:KnowledgeGraph {name: $name, state: 'loading'})
SET g.written = g.written
WITH g WHERE g.sha256 = $sha256 AND g.kgdb_version = $version AND g.batch = $batch
SET g.load = $load
RETURN g.stage AS stage, g.complete AS complete, coalesce(g.beyond, []) AS beyond,
       coalesce(g.pagerank, false) AS ranked
