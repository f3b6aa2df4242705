"""Dialogues: what a person tells leads to what the graph has most in common with it."""

from kgdb.lab.dialogue.method import METHOD, Dialogue
from kgdb.lab.dialogue.options import Options

__all__ = ["METHOD", "Dialogue", "Options"]
