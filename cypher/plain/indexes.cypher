// The indexes over the entities of a graph.
SHOW INDEXES YIELD name, type, labelsOrTypes, properties, options
WHERE any(label IN labelsOrTypes WHERE label IN $labels)
RETURN name, type, labelsOrTypes, properties, options.indexConfig AS config
