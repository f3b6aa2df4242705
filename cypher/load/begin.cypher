// Announces a graph that is being loaded. `load` marks this attempt: a later one takes over from it. What is
// there by now has to be what was `seen` there before (null: nothing), or there is no row.
MERGE (g:KnowledgeGraph {name: $name})
ON CREATE SET g.load = $properties.load
// Locks it, so that of two loaders one sees what the other wrote.
SET g.name = $name
WITH g WHERE g.load = $properties.load OR (g.sha256 = $seen.sha256 AND g.state = $seen.state)
SET g = $properties
RETURN 1 AS written
