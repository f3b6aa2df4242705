// The embeddings of the relations of one graph, from the bookkeeping nodes alone.
MATCH (r:Relation {kg: $kg})
RETURN r.id AS id, r.embedding AS along, r.inverse_embedding AS against
ORDER BY id
