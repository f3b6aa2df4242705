// One batch of embeddings of relations, and by which encoder they are.
UNWIND $rows AS row
MATCH (r:Relation {kg: $kg, id: row.id})
CALL db.create.setNodeVectorProperty(r, 'embedding', row.along)
CALL db.create.setNodeVectorProperty(r, 'inverse_embedding', row.against)
WITH count(*) AS written
MATCH (g:KnowledgeGraph {name: $kg})
SET g.encoder = $encoder
RETURN written
