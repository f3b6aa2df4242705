"""Encoders and rerankers: texts to vectors, pairs of texts to scores."""
