// The indexes over the entities of a graph.
SHOW INDEXES YIELD name, type, labelsOrTypes, properties, options
WHERE $label IN labelsOrTypes
RETURN name, type, properties, options.indexConfig AS config
