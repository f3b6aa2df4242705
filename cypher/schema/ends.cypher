// How many relationships join which labels, by reading each of them.
MATCH (head:`%label%`)-[:`%relation%`]->(tail:`%label%`)
WITH labels(head) AS heads, labels(tail) AS tails, count(*) AS count
RETURN $relations[`%place%`] AS relation, collect([heads, tails, count]) AS ends
