// Whether the database has nodes, which an import would destroy.
RETURN EXISTS { MATCH (n) } AS used
