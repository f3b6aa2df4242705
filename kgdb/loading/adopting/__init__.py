"""Adopting: a graph that is in Neo4j already becomes a graph of kgdb, in place."""
