// What the ids and names of the nodes with a label are, and how many there are of each kind.
MATCH (e:`%label%`)
RETURN valueType(e.`%id%`) AS id, valueType(e.`%name%`) AS name, count(*) AS nodes,
       max(size(toStringOrNull(e.`%name%`))) AS longest
