// A graph of thought that a language model wrote, run in the sandbox.
CALL kgdb.got.run($script, $config)
YIELD status, message, line, column, triples, nodes, relationships, executed
RETURN status, message, line, column, triples, nodes, relationships, executed
