"""Results as data frames of pandas and polars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from kgdb.errors import UsageError
from kgdb.graph import ReadAnswer
from kgdb.interop.columns import Column, Rows, table
from kgdb.optional_packages import optional

if TYPE_CHECKING:
    import pandas
    import polars

_PANDAS = {str: "string", int: "int64", float: "float64", bool: "bool"}
_PANDAS_OPTIONAL = {str: "string", int: "Int64", float: "Float64", bool: "boolean"}


def to_pandas(found: Rows | ReadAnswer) -> pandas.DataFrame:
    """The results as a ``pandas.DataFrame`` (extra ``pandas``), one row each.

    Of an answer its rows are the entities, each with its proof; of a verdict the facts ``for`` and
    ``against`` the claim. The columns are there, with their types, also when nothing was found.
    Paths are lists of ids, of names and of relations. What was cut is in ``frame.attrs["cut"]``.
    """
    pd = optional("pandas", "pandas")
    frame: pandas.DataFrame
    if isinstance(found, ReadAnswer):
        frame = pd.DataFrame(_rows(found), columns=list(found.columns))
        frame.attrs["cut"] = ("limit",) if found.truncated else ()
        return frame
    content = table(found)
    frame = pd.DataFrame(
        {
            column.name: pd.Series(content.values[column.name], dtype=_pandas_type(column))
            for column in content.columns
        }
    )
    frame.attrs["cut"] = content.cut
    return frame


def to_polars(found: Rows | ReadAnswer) -> polars.DataFrame:
    """The results as a ``polars.DataFrame`` (extra ``polars``), one row each.

    As :func:`to_pandas`, but a frame of polars has no place for what was cut.
    """
    pl = optional("polars", "polars")
    frame: polars.DataFrame
    if isinstance(found, ReadAnswer):
        columns = list(found.columns)
        frame = pl.DataFrame(_rows(found), columns, orient="row", infer_schema_length=None)
        return frame
    content = table(found)
    frame = pl.DataFrame(
        content.values,
        schema={column.name: _polars_type(pl, column.type) for column in content.columns},
    )
    return frame


def _rows(answer: ReadAnswer) -> list[tuple[Any, ...]]:
    """The rows of a query; it named its columns itself, of whatever types."""
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
