"""The machine: its memory, its Java and its free ports."""
