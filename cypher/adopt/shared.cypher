// Whether a node has both labels.
RETURN EXISTS { MATCH (n:`%label%`:`%other%`) } AS shared
