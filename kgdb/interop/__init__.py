"""Conversions of results to other libraries, and open connections of other clients.

Each function takes the result of a retrieval method (:class:`kgdb.graph.Rows`, or the list of them
from ``graph.batch``), or any list of values of :mod:`kgdb.values`.
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
