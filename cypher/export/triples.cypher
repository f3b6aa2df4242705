// Every relationship between two entities of a graph, parallel ones too.
MATCH (head:`%label%`)-[r]->(tail:`%label%`) WHERE NOT ($literals AND tail:Literal)
RETURN toString(head.`%id%`) AS head, type(r) AS relation, toString(tail.`%id%`) AS tail
