"""The machine: its memory, its Java, its free ports and its processes."""
