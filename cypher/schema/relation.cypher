MATCH (head:`%label%`)-[r:`%relation%`]->(tail:`%label%`)
WITH head, r, tail LIMIT $sample
RETURN type(r) AS relation, labels(head) AS heads, labels(tail) AS tails, tail:Literal AS literal,
       tail[$name] AS tail, properties(r) AS properties
