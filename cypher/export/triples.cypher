// Every relationship between two entities of a graph, parallel ones too.
MATCH (head:`%label%`)-[r]->(tail:`%label%`) WHERE NOT ($literals AND tail:Literal)
RETURN `%id(head)%` AS head, type(r) AS relation, `%id(tail)%` AS tail, properties(r) AS properties
