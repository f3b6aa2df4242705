"""Importing: filling the database of a stopped instance by ``neo4j-admin``."""
