// One batch of embeddings.
UNWIND $rows AS row
MATCH (e:`%label%` {`%id%`: row.id})
CALL db.create.setNodeVectorProperty(e, 'embedding', row.vector)
RETURN count(*) AS written
