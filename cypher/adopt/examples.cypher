// Examples of nodes whose property has a given type, for an error message.
MATCH (e:`%label%`) WHERE valueType(e.`%property%`) = $kind
RETURN elementId(e) AS node, keys(e) AS properties LIMIT $limit
