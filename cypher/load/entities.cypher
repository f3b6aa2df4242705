// One batch of entities.
UNWIND $rows AS row
CREATE (e:Entity:`%label%`)
SET e:$(row.labels), e.id = row.id, e.name = row.name, e.aliases = row.aliases
WITH count(*) AS written
`%note%`
