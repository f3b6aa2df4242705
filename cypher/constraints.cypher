// What the database holds its nodes and relationships to.
SHOW CONSTRAINTS YIELD name, type, entityType, labelsOrTypes, properties
RETURN name, type, entityType, labelsOrTypes[0] AS label, properties
