"""The procedures beside their peers: APOC, Graph Data Science and plain Cypher, in one run."""
