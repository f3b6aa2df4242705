// One batch of embeddings of relations, with their encoder.
UNWIND $rows AS row
MATCH (r:Relation {kg: $kg, id: row.id})
CALL db.create.setNodeVectorProperty(r, 'embedding', row.along)
CALL db.create.setNodeVectorProperty(r, 'inverse_embedding', row.against)
WITH count(*) AS written
MATCH (g:KnowledgeGraph {name: $kg})
SET g.encoder = $encoder
RETURN written
