// A label, how many nodes have it (by the count store), and whether one of them is in the graph.
MATCH (n:`%of%`) WITH count(n) AS nodes
RETURN $names[`%place%`] AS label, nodes, EXISTS { (m:(`%label%`)&`%of%`) } AS shared
