"""Tables and figures of papers: what was published, and what kgdb reaches, beside each other."""
