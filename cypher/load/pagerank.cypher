// The PageRank of each entity. Graph Data Science writes in its own transactions, but only while this one
// holds the lock, as in load_note: no other job can take over before the end.
MATCH (g:KnowledgeGraph {name: $name})
SET g.written = g.written + 1
WITH g WHERE g.load = $load
CALL gds.pageRank.write($projection, $config) YIELD nodePropertiesWritten
RETURN nodePropertiesWritten AS written
