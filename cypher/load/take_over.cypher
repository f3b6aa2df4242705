// Goes on with a load of the same source that was stopped. `load` marks the new attempt; the lock that
// comes with it waits for a batch that is just being committed.
MATCH (g:KnowledgeGraph {name: $name, state: 'loading'})
SET g.written = g.written
WITH g WHERE g.sha256 = $sha256 AND g.kgdb_version = $version AND g.batch = $batch
SET g.load = $load
RETURN g.stage AS stage, g.complete AS complete, coalesce(g.beyond, []) AS beyond,
       coalesce(g.pagerank, false) AS ranked
