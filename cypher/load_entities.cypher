// One batch of entities. The graph's own node is locked last, until the commit: either this batch is
// in before another load takes over, or it finds itself overtaken (no row) and is rolled back.
UNWIND $rows AS row
CREATE (e:Entity:`%label%`)
SET e.id = row.id, e.name = row.name, e.aliases = row.aliases
WITH count(*) AS written
MATCH (g:KnowledgeGraph {name: $name})
SET g.written = g.written + written
WITH g, written WHERE g.load = $load
RETURN written
