"""Which entities a text names: candidates by full-text index, compared by name similarity."""
