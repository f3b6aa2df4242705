"""Processes: starting, recognising and ending the Java processes of an instance."""
