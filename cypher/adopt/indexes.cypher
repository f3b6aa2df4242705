// The indexes over nodes of this label only.
SHOW INDEXES YIELD name, type, entityType, labelsOrTypes, properties, owningConstraint
WHERE entityType = 'NODE' AND labelsOrTypes = [$label]
RETURN name, type, properties, owningConstraint
