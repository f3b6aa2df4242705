"""Writing: prepared tables become a graph in Neo4j, over Bolt or by an offline import."""
