// Labels of nodes that the relationships of a label lead to, from a sample.
MATCH (:`%label%`)--(other) WHERE NOT other:`%label%`
WITH other LIMIT $sample
UNWIND labels(other) AS label
RETURN label, count(*) AS nodes ORDER BY nodes DESC, label LIMIT $limit
