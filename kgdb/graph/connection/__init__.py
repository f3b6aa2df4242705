"""The connection to Neo4j: statements, round trips, errors, and which graphs a database holds."""
