// One batch of literals; each has one subject.
UNWIND $rows AS row
CREATE (e:Entity:Literal:`%label%`)
SET e += row
WITH count(*) AS written
`%note%`
