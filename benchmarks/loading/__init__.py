"""How fast graphs are loaded, beside the ways one would load them without kgdb."""
