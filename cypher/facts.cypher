// Every fact of a graph with the names of its ends, literals included, but for nodes without an id.
MATCH (head:`%label%`)-[r]->(tail:`%label%`)
WHERE head.`%id%` IS NOT NULL AND tail.`%id%` IS NOT NULL
RETURN toString(head.`%id%`) AS head, toString(coalesce(head.`%name%`, head.`%id%`)) AS head_name,
       type(r) AS relation,
       toString(tail.`%id%`) AS tail, toString(coalesce(tail.`%name%`, tail.`%id%`)) AS tail_name
