"""Baselines: published methods and plain retrieval to measure the papers' methods by."""
