"""Text2Cypher: the language model writes the query, and the database runs it in its sandbox."""

from kgdb.methods.text2cypher.text2cypher_method import METHOD, Text2Cypher
from kgdb.methods.text2cypher.text2cypher_options import Options

__all__ = ["METHOD", "Options", "Text2Cypher"]
