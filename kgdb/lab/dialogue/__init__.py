"""Dialogues: what a person tells leads to what the graph has most in common with it."""

from kgdb.lab.dialogue.dialogue_method import METHOD, Dialogue
from kgdb.lab.dialogue.dialogue_options import Options

__all__ = ["METHOD", "Dialogue", "Options"]
