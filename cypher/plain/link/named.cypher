// Nodes of one label by their exact names.
UNWIND asked.names AS text
MATCH (e:`%label%`) WHERE e.`%property%` = text
RETURN e, 'text' AS found
UNION ALL
