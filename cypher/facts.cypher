// Every fact of a graph with the names of its ends, literals included, but for nodes without an id.
MATCH (head:`%label%`)-[r]->(tail:`%label%`)
WHERE `%key(head)%` IS NOT NULL AND `%key(tail)%` IS NOT NULL
RETURN `%id(head)%` AS head, `%name(head)%` AS head_name,
       type(r) AS relation,
       `%id(tail)%` AS tail, `%name(tail)%` AS tail_name
