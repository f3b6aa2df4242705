"""Relation chains that explain a question: its segmentation, key entities and the chain search."""
