"""Graphs of thought: scripts run in the sandbox, and patterns matched in the graph."""
