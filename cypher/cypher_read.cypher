// A query that a language model wrote, if it can do nothing but read.
CALL kgdb.cypher.read($script, $config)
YIELD status, message, line, column, columns, rows, truncated
RETURN status, message, line, column, columns, rows, truncated
