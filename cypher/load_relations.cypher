// The bookkeeping node of each relation; locking as in load_note.
UNWIND $rows AS row
MERGE (r:Relation {kg: $name, id: row.id})
SET r += row
WITH count(*) AS written
MATCH (g:KnowledgeGraph {name: $name})
SET g.written = g.written + written
WITH g, written WHERE g.load = $load
RETURN written
