// Whether a node carries both labels.
RETURN EXISTS { MATCH (n:`%label%`:`%other%`) } AS shared
