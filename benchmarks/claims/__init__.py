"""Claims made from facts, true and almost true, and what is said of them."""
