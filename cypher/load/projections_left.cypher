// Drops projections of killed loads; they would stay in the server's memory.
CALL gds.graph.list() YIELD graphName
WITH graphName WHERE graphName STARTS WITH $prefix
CALL gds.graph.drop(graphName, $failIfMissing) YIELD graphName AS dropped
RETURN dropped
