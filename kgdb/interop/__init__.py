"""What kgdb finds, in the forms of other libraries; and connections that they have opened.

Each function takes what the retrieval methods give (:class:`kgdb.graph.Rows`, or a list of them as
``graph.batch`` gives it), or any list of values of :mod:`kgdb.values`.
"""

from kgdb.interop.clients import Opened, opened
from kgdb.interop.elements import Results, check_results
from kgdb.interop.frames import to_pandas, to_polars
from kgdb.interop.networks import to_networkx
from kgdb.interop.py2neo_graphs import to_py2neo

__all__ = [
    "Opened",
    "Results",
    "check_results",
    "opened",
    "to_networkx",
    "to_pandas",
    "to_polars",
    "to_py2neo",
]
