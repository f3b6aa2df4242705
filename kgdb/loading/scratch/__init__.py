"""Scratch: the temporary folder and the temporary DuckDB database that a load works in."""
