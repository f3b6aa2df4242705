// Every relationship type and label there is, to check what a caller names.
CALL () { CALL db.relationshipTypes() YIELD relationshipType RETURN collect(relationshipType) AS relations }
CALL () { CALL db.labels() YIELD label RETURN collect(label) AS labels }
RETURN relations, labels
