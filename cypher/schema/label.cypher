// A label, and how many nodes of the graph have it.
RETURN $names[`%place%`] AS label, COUNT { (n:(`%label%`)&`%of%`) } AS nodes
