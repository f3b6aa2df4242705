// A sample of the nodes of a label; long texts and embeddings are cut.
MATCH (n:(`%label%`)&`%of%`)
WHERE NOT n:Literal AND NOT n:Mediator
WITH n LIMIT $sample
RETURN `%properties%` AS properties
