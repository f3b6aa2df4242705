"""The same retrieval in plain Cypher, for servers where no plugin can be installed."""
