"""Training: corpora of questions with their chains, and the models that are tuned on them."""
