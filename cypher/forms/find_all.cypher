// All entities.
MATCH (e:(`%label%`)`%of%`)
WHERE NOT e:Literal AND NOT e:Mediator
WITH e, [] AS proof, 0 AS rank
