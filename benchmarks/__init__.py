"""How fast the graph procedures are, side by side with what one would do without them."""
