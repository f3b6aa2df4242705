"""GoT-R: graph-of-thought guided retrieval and reasoning."""

from kgdb.methods.gotr.gotr_method import METHOD, GoTR
from kgdb.methods.gotr.gotr_options import Options

__all__ = ["METHOD", "GoTR", "Options"]
