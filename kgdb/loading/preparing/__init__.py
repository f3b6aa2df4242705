"""Preparing: a source becomes checked, numbered tables, before any database is touched."""
