"""GoT-R: graph-of-thought guided retrieval and reasoning."""

from kgdb.methods.gotr.method import METHOD, GoTR
from kgdb.methods.gotr.options import Options

__all__ = ["METHOD", "GoTR", "Options"]
