"""RefKG: reflection on a knowledge graph by decoupling, exploration, refinement and inference."""

from kgdb.methods.refkg.refkg_method import METHOD, RefKG
from kgdb.methods.refkg.refkg_options import Options

__all__ = ["METHOD", "Options", "RefKG"]
