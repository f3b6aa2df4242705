"""Language models that run in this process: weights, prompts, generation, choice scoring."""
