"""Results as data frames of pandas and polars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from kgdb.errors import UsageError
from kgdb.graph import ReadAnswer
from kgdb.interop.columns import Column, Tabular, table
from kgdb.optional_packages import optional

if TYPE_CHECKING:
    import pandas
    import polars

_PANDAS = {str: "string", int: "int64", float: "float64", bool: "bool"}
_PANDAS_OPTIONAL = {str: "string", int: "Int64", float: "Float64", bool: "boolean"}


def to_pandas(results: Tabular | ReadAnswer) -> pandas.DataFrame:
    """The results as a ``pandas.DataFrame`` (extra ``pandas``), one row each.

    Several answers and verdicts have the columns ``question`` (or the claim), ``answer`` (in words,
    of a verdict its label), ``kind`` (of a verdict ``"verdict"``, else see
    :data:`kgdb.values.Kind`), ``value`` (the ids of the entities, or the value), ``evidence`` (the
    paths in words) and ``confidence`` (of verdicts, where the method has one).

    The rows of one answer, or of a form's result, are its entities with their proofs, or its values
    with their entities; one value is a row with its proof. The rows of a verdict are the facts
    ``for`` and ``against`` the claim. An empty result has the columns and types too. Paths are
    lists of ids, names and relations. ``frame.attrs["cut"]`` names the limits that were reached.
    """
    pd = optional("pandas", "pandas")
    frame: pandas.DataFrame
    if isinstance(results, ReadAnswer):
        frame = pd.DataFrame(_rows(results), columns=list(results.columns))
        frame.attrs["cut"] = ("limit",) if results.truncated else ()
        return frame
    content = table(results)
    frame = pd.DataFrame(
        {
            column.name: pd.Series(content.values[column.name], dtype=_pandas_type(column))
            for column in content.columns
        }
    )
    frame.attrs["cut"] = content.cut
    return frame


def to_polars(results: Tabular | ReadAnswer) -> polars.DataFrame:
    """The results as a ``polars.DataFrame`` (extra ``polars``), one row each.

    Like :func:`to_pandas`, but without ``cut``: a polars frame has no attributes.
    """
    pl = optional("polars", "polars")
    frame: polars.DataFrame
    if isinstance(results, ReadAnswer):
        columns = list(results.columns)
        frame = pl.DataFrame(_rows(results), columns, orient="row", infer_schema_length=None)
        return frame
    content = table(results)
    frame = pl.DataFrame(
        content.values,
        schema={column.name: _polars_type(pl, column.type) for column in content.columns},
    )
    return frame


def _rows(answer: ReadAnswer) -> list[tuple[Any, ...]]:
    """The rows of a Cypher query, with columns of any types."""
    if answer.error is not None:
        raise UsageError(f"The query was refused, so there are no rows: {answer.error.message}")
    return list(answer.rows)


def _pandas_type(column: Column) -> str:
    return (_PANDAS_OPTIONAL if column.optional else _PANDAS).get(column.type, "object")


def _polars_type(pl: Any, kind: Any) -> Any:
    plain = {str: pl.String, int: pl.Int64, float: pl.Float64, bool: pl.Boolean}
    if kind in plain:
        return plain[kind]
    inner = get_args(kind)
    return pl.List(_polars_type(pl, inner[0])) if inner else pl.Object
