// Whether an entity of the graph has a relationship of the type, by counts that the store keeps.
CALL () { MATCH (:`%label%`)-[r:`%relation%`]->() RETURN count(r) AS leaving }
CALL () { MATCH ()-[r:`%relation%`]->(:`%label%`) RETURN count(r) AS arriving }
RETURN leaving + arriving > 0 AS used
