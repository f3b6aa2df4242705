// The types of the ids of the nodes with a label, with the number of nodes.
MATCH (e:`%label%`)
RETURN valueType(e.`%id%`) AS id, count(*) AS nodes
