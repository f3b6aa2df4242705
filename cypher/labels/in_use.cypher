// Whether any node carries the label.
RETURN EXISTS { MATCH (n:`%label%`) } AS used
