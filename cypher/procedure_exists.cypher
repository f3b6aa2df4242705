// Whether the server has a procedure of that name.
SHOW PROCEDURES YIELD name WHERE name = $name
RETURN count(name) > 0 AS exists
