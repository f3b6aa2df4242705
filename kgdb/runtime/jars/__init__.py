"""The jars: which ones the server needs, their cache, and an archive of their classes."""
