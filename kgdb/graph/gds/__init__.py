"""Graph Data Science: projections of loaded graphs, cheapest paths, relation weights."""
