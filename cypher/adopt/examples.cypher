// Nodes whose property is of a kind, to name them in a message.
MATCH (e:`%label%`) WHERE valueType(e.`%property%`) = $kind
RETURN elementId(e) AS node, keys(e) AS properties LIMIT $limit
