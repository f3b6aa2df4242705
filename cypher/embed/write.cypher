// One batch of embeddings. A node that was removed meanwhile has none.
UNWIND $rows AS row
MATCH (e:`%label%`) WHERE elementId(e) = row.node
CALL db.create.setNodeVectorProperty(e, 'embedding', row.vector)
RETURN count(*) AS written
