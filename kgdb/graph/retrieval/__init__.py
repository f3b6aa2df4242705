"""Typed retrieval: options in, frozen rows out; the searches themselves run in the plugin."""
