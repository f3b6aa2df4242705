"""Files that hold a whole graph: nodes and relationships with properties, in one file.

Each reader yields the elements of a file one by one, so that a file of any size needs little
memory; :mod:`~kgdb.loading.reading.graph_files.element_table` makes a table of them.
"""

from kgdb.loading.reading.graph_files.element_table import GRAPH_FORMATS, read_graph_files

__all__ = ["GRAPH_FORMATS", "read_graph_files"]
