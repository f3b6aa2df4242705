// A label whose nodes are all in the graph, and how many there are, by the count store.
RETURN $names[`%place%`] AS label, COUNT { (n:`%of%`) } AS nodes
