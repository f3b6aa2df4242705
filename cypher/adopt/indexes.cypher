// The indexes over nodes of these labels.
SHOW INDEXES YIELD name, type, entityType, labelsOrTypes, properties, owningConstraint, state, options
WHERE entityType = 'NODE' AND any(label IN labelsOrTypes WHERE label IN $labels)
RETURN name, type, labelsOrTypes AS labels, properties, owningConstraint, state,
       options.indexConfig AS config
