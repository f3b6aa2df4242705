"""The jars: which ones the local server needs, their download and their cache."""
