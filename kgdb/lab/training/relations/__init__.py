"""The relation encoder of GoT-R (§3.2): masked questions and chains of relations, side by side."""
