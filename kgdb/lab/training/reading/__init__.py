"""Weights of the chart grammar, learnt from questions over several graphs."""
