"""A question's context: its graph, models, budget and trace, batched with other questions."""
