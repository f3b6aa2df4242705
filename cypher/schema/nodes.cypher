// A sample of the nodes of a label.
MATCH (n:(`%label%`)&`%of%`)
WHERE NOT n:Literal AND NOT n:Mediator
WITH n LIMIT $sample
RETURN properties(n) AS properties
