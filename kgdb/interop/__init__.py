"""Conversions of results to other libraries, and open connections of other clients.

Each function takes the result of a retrieval method
(:class:`kgdb.graph.retrieval.results.Rows`, or the list of them from ``graph.batch``), or any list
of values of :mod:`kgdb.values`.
"""

from kgdb.interop.clients import Opened, opened
from kgdb.interop.data_frames import to_pandas, to_polars
from kgdb.interop.py2neo_graphs import to_py2neo
from kgdb.interop.result_elements import Results, check_results, to_networkx

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
