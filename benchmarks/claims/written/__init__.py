"""Claims over property graphs that were written by hand from the facts."""
