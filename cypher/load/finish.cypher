// From now on the graph is usable; locking as in load_note.
MATCH (g:KnowledgeGraph {name: $name})
SET g.written = g.written + 1
WITH g WHERE g.load = $load
SET g += $properties
REMOVE g.load, g.written, g.stage, g.complete, g.beyond, g.batch
RETURN 1 AS written
