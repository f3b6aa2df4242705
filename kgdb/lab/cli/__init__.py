"""The commands of ``kgdb lab``."""
