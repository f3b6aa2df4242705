// How many relationships join which labels, of some of the graph.
MATCH (head:`%label%`)-[:`%relation%`]->(tail:`%label%`)
WITH head, tail LIMIT $sample
RETURN labels(head) AS heads, labels(tail) AS tails, count(*) AS count
