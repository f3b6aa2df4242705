// Whether the database holds anything that an import over it would destroy.
RETURN EXISTS { MATCH (n) } AS used
