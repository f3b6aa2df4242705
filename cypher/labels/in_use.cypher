// Whether any node has the label.
RETURN EXISTS { MATCH (n:`%label%`) } AS used
