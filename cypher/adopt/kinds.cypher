// The types of the ids and names of the nodes with a label, with the number of nodes.
MATCH (e:`%label%`)
RETURN valueType(e.`%id%`) AS id, valueType(e.`%name%`) AS name, count(*) AS nodes,
       max(size(toStringOrNull(e.`%name%`))) AS longest
