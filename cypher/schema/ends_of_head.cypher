// The labels at the other end of some relationships that begin at a label.
MATCH (:(`%label%`)&`%of%`)-[:`%relation%`]->(tail:`%label%`)
WITH tail LIMIT $sample
RETURN $heads[`%place%`] AS head, collect(labels(tail)) AS tails
