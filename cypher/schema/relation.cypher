// A sample of the relationships between two labels, or between any.
MATCH (head:(`%label%`)`%from%`)-[r:`%relation%`]->(tail:(`%label%`)`%to%`)
WITH head, r, tail LIMIT $sample
RETURN `%place%` AS place, collect([tail:Literal, `%name(tail)%`, `%properties%`]) AS rows
