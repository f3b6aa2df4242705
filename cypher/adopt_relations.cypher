// The relationships of the nodes with a label: those among them, each once, and those that lead out.
MATCH (e:`%label%`)-[r]-(other)
RETURN type(r) AS id,
       count(CASE WHEN other:`%label%` AND startNode(r) = e THEN 1 END) AS count,
       count(CASE WHEN NOT other:`%label%` THEN 1 END) AS outside
ORDER BY id
