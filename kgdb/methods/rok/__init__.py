"""RoK: reasoning on efficient knowledge paths."""

from kgdb.methods.rok.rok_method import METHOD, RoK
from kgdb.methods.rok.rok_options import Options

__all__ = ["METHOD", "Options", "RoK"]
