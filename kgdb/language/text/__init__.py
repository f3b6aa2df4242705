"""Texts for models: prompts and their examples, relation chains in words, JSON replies."""
