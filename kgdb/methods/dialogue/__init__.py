"""Dialogues: what a person tells leads to what the graph has most in common with it."""

from kgdb.methods.dialogue.method import METHOD, Dialogue
from kgdb.methods.dialogue.options import Options
from kgdb.methods.dialogue.telling import is_telling

__all__ = ["METHOD", "Dialogue", "Options", "is_telling"]
