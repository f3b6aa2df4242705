// For the user to run: each relationship of one type again, of the type that a property names.
MATCH (a)-[r:`%relation%`]->(b) WHERE r.`%property%` <> ''
CREATE (a)-[typed:$(r.`%property%`)]->(b) SET typed = properties(r)
