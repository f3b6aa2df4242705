// What a caller may name: the relations that the bookkeeping of a graph lists; every relationship type,
// label and property key there is.
CALL () { MATCH (r:Relation {kg: $kg}) RETURN collect(r.id) AS relations }
CALL () { CALL db.relationshipTypes() YIELD relationshipType RETURN collect(relationshipType) AS types }
CALL () { CALL db.labels() YIELD label RETURN collect(label) AS labels }
CALL () { CALL db.propertyKeys() YIELD propertyKey RETURN collect(propertyKey) AS properties }
RETURN relations, types, labels, properties
