"""Whether shown facts say what is claimed: its names, its relation, its direction, each word."""
