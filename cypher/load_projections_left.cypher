// Projections of loads that were killed; they would stay in the server's memory.
CALL gds.graph.list() YIELD graphName, database
WHERE database = $database AND graphName STARTS WITH $prefix
CALL gds.graph.drop(graphName, $failIfMissing, database) YIELD graphName AS dropped
RETURN dropped
