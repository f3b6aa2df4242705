// One batch of embeddings; nodes deleted meanwhile are skipped.
UNWIND $rows AS row
MATCH (e:`%label%`) WHERE elementId(e) = row.node
CALL db.create.setNodeVectorProperty(e, 'embedding', row.vector)
RETURN count(*) AS written
