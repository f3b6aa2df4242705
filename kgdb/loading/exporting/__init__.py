"""Exporting: a graph in Neo4j becomes Parquet or N-Triples files."""
