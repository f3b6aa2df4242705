"""The version of the package, of its plugin and of the demo graph: they are released together."""

__version__ = "0.1.0"
