// Takes a projection out of the catalog; one that is not there is no error unless it is to be.
CALL gds.graph.drop($name, $failIfMissing) YIELD graphName
RETURN graphName AS name
