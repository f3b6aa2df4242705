MATCH (head:`%label%`)-[r:`%relation%`]->(tail:`%label%`)
WITH head, r, tail LIMIT $sample
RETURN $relations[`%place%`] AS relation, collect([labels(head), labels(tail), tail:Literal, `%name(tail)%`, properties(r)]) AS rows
