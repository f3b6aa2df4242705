// Labels of the nodes at the other end of a label's relationships, from a sample.
MATCH (:`%label%`)--(other) WHERE NOT other:`%label%`
WITH other LIMIT $sample
UNWIND labels(other) AS label
RETURN label, count(*) AS nodes ORDER BY nodes DESC, label LIMIT $limit
