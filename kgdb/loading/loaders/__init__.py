"""Loader files: what they say, checked, and which source files they read."""
