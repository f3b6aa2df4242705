// Announces a graph that is being loaded. `load` is the token of this job: a later job replaces it. There is
// no row if the stored graph is no longer the one in `seen` (null: none).
MERGE (g:KnowledgeGraph {name: $name})
ON CREATE SET g.load = $properties.load
// Locks the node: of two loaders, the second sees the write of the first.
SET g.name = $name
WITH g WHERE g.load = $properties.load OR (g.sha256 = $seen.sha256 AND g.state = $seen.state)
SET g = $properties
RETURN 1 AS written
