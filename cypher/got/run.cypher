// Graphs of thought that a language model wrote, each run in the sandbox.
UNWIND range(0, size($scripts) - 1) AS batch
CALL kgdb.got.run($scripts[batch], $config)
YIELD status, message, line, column, triples, nodes, relationships, executed
RETURN batch, status, message, line, column, triples, nodes, relationships, executed
