"""Question sets in their published forms, and in kgdb's own: a module for each."""
