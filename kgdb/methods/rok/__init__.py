"""RoK: reasoning on efficient knowledge paths."""

from kgdb.methods.rok.method import METHOD, RoK
from kgdb.methods.rok.options import Options

__all__ = ["METHOD", "Options", "RoK"]
