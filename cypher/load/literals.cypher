// One batch of literals, each of one subject.
UNWIND $rows AS row
CREATE (e:Entity:Literal:`%label%`)
SET e += row
WITH count(*) AS written
`%note%`
