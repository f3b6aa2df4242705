"""DuckDB's SQL as that of Spark, by sqlglot; here is what sqlglot leaves as it is.

DuckDB's regular expressions are RE2's, Spark's those of Java: there ``$`` also matches before a
last line end, and more characters than a line feed end a line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from sqlglot import exp

from kgdb.loading.preparing.relationship_properties import OBJECTS
from kgdb.wording import short

Columns = Callable[[str], Mapping[str, str]]
"""The names and DuckDB's types of the columns of a SELECT."""

FUNCTIONS = {
    "strlen(x STRING) RETURNS INT": "octet_length(x)",
    "isfinite(x DOUBLE) RETURNS BOOLEAN": "NOT isnan(x) AND abs(x) < DOUBLE('Infinity')",
    # Texts that are JSON, which the first sign tells apart.
    "json_type(x STRING) RETURNS STRING": r"""CASE left(ltrim(x), 1)
        WHEN '{' THEN 'OBJECT' WHEN '[' THEN 'ARRAY' WHEN '"' THEN 'VARCHAR' WHEN 't' THEN 'BOOLEAN'
        WHEN 'f' THEN 'BOOLEAN' WHEN 'n' THEN 'NULL'
        ELSE if(x RLIKE '[.eE]', 'DOUBLE', if(x LIKE '-%', 'BIGINT', 'UBIGINT')) END""",
}
"""Functions of DuckDB that Spark gets under the same names."""


_LINES = "(?d)"  # only \n ends a line


class NotInSpark(Exception):
    """SQL of DuckDB that has no equivalent in Spark; the message says which."""


def to_spark(
    tree: exp.Expression, variables: Mapping[str, str], columns: Columns
) -> exp.Expression:
    """The statement as sqlglot's tree for Spark; raises :class:`NotInSpark`.

    ``variables`` are the values of ``getvariable``.
    """
    tree = tree.copy()
    called = {each.name.lower() for each in tree.find_all(exp.Anonymous)}
    of_objects = any(each.alias == OBJECTS for each in tree.find_all(exp.Alias))
    if "to_json" in called and not ("json_group_object" in called or of_objects):
        raise NotInSpark("to_json is translated only where it makes properties of facts.")
    for node in list(tree.find_all(exp.Pivot)):
        _unpivot(node, columns)
    for select in list(tree.find_all(exp.Select)):
        _expand(select, columns)
    return _bottom_up(tree, variables)


def _bottom_up(node: exp.Expression, variables: Mapping[str, str]) -> exp.Expression:
    # A list comprehension stands in an array, which it is.
    if isinstance(node, exp.Array) and any(
        isinstance(each, exp.Comprehension) for each in node.expressions
    ):
        return _bottom_up(node.expressions[0], variables)
    for child in list(node.iter_expressions()):
        made = _bottom_up(child, variables)
        if made is not child:
            child.replace(made)
    return _translated(node, variables)


def _unpivot(pivot: exp.Pivot, columns: Columns) -> None:
    """``UNPIVOT (query) ON COLUMNS(* EXCLUDE (…)) INTO NAME field VALUE value``, by explode."""
    outer = pivot.parent_select
    source = pivot.this
    query = source.this if isinstance(source, exp.Subquery) else exp.select("*").from_(source)
    _expand(query, columns)
    star = next(pivot.find_all(exp.Columns), None)
    into = pivot.args.get("into")
    if not pivot.args.get("unpivot") or star is None or into is None or outer is None:
        raise NotInSpark("PIVOT is not translated for Spark.")
    left_out = _excluded(star)
    names = columns(query.sql("duckdb"))
    is_text = any(isinstance(each, exp.Cast) for each in pivot.expressions)
    field, value = _quoted(into.this.name), _quoted(into.expressions[0].name)
    pairs = [
        f"struct({_text(name)} AS {field}, "
        f"{f'CAST({_quoted(name)} AS STRING)' if is_text else _quoted(name)} AS {value})"
        for name in names
        if name.casefold() not in left_out
    ]
    kept = ", ".join(_quoted(name) for name in names if name.casefold() in left_out)
    # Nested brackets: the query keeps its own dialect until the whole tree is translated.
    inner = exp.maybe_parse(
        f"SELECT {kept}, inline(array({', '.join(pairs)})) FROM x", dialect="spark"
    )
    inner.args["from_"].set("this", exp.Subquery(this=query.copy()))
    made = exp.select("*").from_(exp.Subquery(this=inner))
    pivot.replace(made.where(exp.maybe_parse(f"{value} IS NOT NULL", dialect="spark")))


def _expand(select: exp.Select, columns: Columns) -> None:
    """Name the columns of ``COLUMNS(…)`` and of ``* REPLACE (…)``, which Spark does not know."""
    found: list[exp.Expression] = []
    for item in select.expressions:
        star = item if isinstance(item, exp.Star) else None
        if star is not None and star.args.get("replace"):
            instead = {each.alias.casefold(): each for each in star.args["replace"]}
            found += [
                instead.get(name.casefold(), exp.column(name, quoted=True))
                for name in _columns_of(select, exp.Star(), columns)
            ]
        elif matched := next(item.find_all(exp.Columns), None):
            for name, kind in _columns_of(select, matched, columns).items():
                one = item.copy()
                for node in list(one.find_all(exp.Columns)):
                    column = exp.column(name, quoted=True)
                    if isinstance(node.parent, exp.Typeof):
                        node.parent.replace(exp.convert(kind))
                    elif node is one:
                        one = column
                    else:
                        node.replace(column)
                found.append(exp.alias_(one, name, quoted=True))
        else:
            found.append(item)
    select.set("expressions", found)


def _columns_of(select: exp.Select, what: exp.Expression, columns: Columns) -> Mapping[str, str]:
    """The columns of the item ``what`` of the SELECT, or of its star."""
    rest = select.copy()
    for part in ("where", "group", "having", "order", "limit", "distinct", "qualify"):
        rest.set(part, None)
    rest.set("expressions", [what.copy()])
    return columns(rest.sql("duckdb"))


def _excluded(star: exp.Expression) -> set[str]:
    inner = star.find(exp.Star)
    names = (inner.args.get("except_") or []) if inner else []
    return {each.name.casefold() for each in names}


def _translated(node: exp.Expression, variables: Mapping[str, str]) -> exp.Expression:
    """One node of the tree, its equivalent in Spark in its place."""
    if isinstance(node, exp.Anonymous):
        name = node.name.lower()
        if name == "getvariable":
            return exp.convert(variables[node.expressions[0].name])
        return _FUNCTIONS[name](node) if name in _FUNCTIONS else node
    translate = _NODES.get(type(node))
    return translate(node) if translate else node


def _with_patterns(node: exp.Expression) -> exp.Expression:
    """A test or an extraction, each text in its pattern as Java reads it."""
    pieces = isinstance(node.expression, exp.DPipe)

    def converted(part: exp.Expression) -> exp.Expression:
        if not _is_text(part):
            return part
        pattern = java_pattern(part.this)
        return exp.convert(pattern.removeprefix(_LINES) if pieces else pattern)

    node.set("expression", node.expression.transform(converted))
    return node


def java_pattern(pattern: str) -> str:
    """RE2's pattern as one of Java that matches the same."""
    parts = re.findall(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", pattern, re.DOTALL)
    return _LINES + "".join(r"\z" if part == "$" else part for part in parts)


def _replaced(node: exp.RegexpReplace) -> exp.Expression:
    """``regexp_replace``, which replaces one match in DuckDB without the option ``g``."""
    flags = node.args.get("modifiers")
    texts = [each.name for each in node.expression.find_all(exp.Literal) if each.is_string]
    once = any(text.startswith("^") or text.endswith("$") for text in texts)
    if not once and not (flags and "g" in flags.name):
        raise NotInSpark(f"regexp_replace replaces only the first match: {short(''.join(texts))}.")
    replacement = node.args["replacement"]
    if _is_text(replacement):
        text = re.sub(r"\\(\d)", r"$\1", replacement.this.replace("$", r"\$"))
        replacement = exp.convert(text)
    return exp.Anonymous(
        this="regexp_replace",
        expressions=[node.this, _with_patterns(node).expression, replacement],
    )


def _comprehension(node: exp.Comprehension) -> exp.Expression:
    """``[made FOR each IN list IF condition]``."""
    each = node.args["expression"]
    rows = node.args["iterator"]
    if condition := node.args.get("condition"):
        rows = exp.func("filter", rows, _lambda(each, condition))
    return rows if node.this == each else exp.func("transform", rows, _lambda(each, node.this))


def _lambda(each: exp.Expression, body: exp.Expression) -> exp.Lambda:
    return exp.Lambda(this=body.copy(), expressions=[exp.to_identifier(each.name)])


def _bracket(node: exp.Bracket) -> exp.Expression:
    """``name[3:]`` of a text, ``names[1]`` of a list; a column in brackets is a text there."""
    index = node.expressions[0]
    if isinstance(index, exp.Slice):
        if index.expression is not None:
            raise NotInSpark("A part of a list or text that ends somewhere is not translated.")
        return exp.func("substring", node.this, index.this)
    if isinstance(node.this, exp.Column) and node.this.name in ("name",):
        return exp.func("substring", node.this, exp.convert(int(index.name) + 1), exp.convert(1))
    return exp.Anonymous(this="get", expressions=[node.this, index])


def _folded(node: exp.Case) -> exp.Expression:
    """A CASE without the branches for other types of a column: Spark would check them too."""
    kept: list[exp.Expression] = []
    for branch in node.args["ifs"]:
        test = branch.this
        known = isinstance(test, exp.Like) and _is_text(test.this) and _is_text(test.expression)
        if not known:
            kept.append(branch)
        elif test.this.name.endswith(test.expression.name.removeprefix("%")):
            node.set("default", branch.args["true"])
            break
    node.set("ifs", kept)
    return node if kept else node.args["default"]


def _concatenated(node: exp.ArrayConcat) -> exp.Expression:
    """Lists in a row; in DuckDB, NULL is an empty one."""
    lists = (exp.func("coalesce", each, exp.Array()) for each in (node.this, *node.expressions))
    return exp.func("concat", *lists)


def _cast(node: exp.Cast) -> exp.Expression:
    return node.this if node.to.is_type("json") else node  # JSON stays a text


def _time(node: exp.TimeToStr) -> exp.Expression:
    return exp.func("date_format", node.this, exp.convert("yyyy-MM-dd'T'HH:mm:ss.SSSSSS"))


def _formatted(node: exp.Format) -> exp.Expression:
    if node.this.name != "{:,}":
        raise NotInSpark(f"A format is not translated: {short(node.this.name)}.")
    return exp.func("format_number", node.expressions[0], exp.convert(0))


def _character(node: exp.Chr) -> exp.Expression:
    # Spark's own takes a byte.
    return exp.convert(chr(int(node.expressions[0].name)))


def _tried(node: exp.Try) -> exp.Expression:
    return node.this


def _full_match(node: exp.RegexpFullMatch) -> exp.Expression:
    pattern = node.expression
    if not _is_text(pattern):
        raise NotInSpark("A pattern of regexp_full_match is not a text.")
    whole = java_pattern(pattern.this).replace(_LINES, rf"{_LINES}\A(?:", 1) + r")\z"
    return exp.RegexpLike(this=node.this, expression=exp.convert(whole))


def _reduced(node: exp.Anonymous) -> exp.Expression:
    rows, step = node.expressions
    rest = exp.func("slice", rows, exp.convert(2), exp.func("size", rows, dialect="spark"))
    return exp.Anonymous(
        this="aggregate",
        expressions=[rest, exp.Anonymous(this="get", expressions=[rows, exp.convert(0)]), step],
    )


def _url_decoded(node: exp.Anonymous) -> exp.Expression:
    # In Spark a plus stands for a space, as in a form.
    kept = exp.func("replace", node.expressions[0], exp.convert("+"), exp.convert("%2B"))
    return exp.Anonymous(this="try_url_decode", expressions=[kept])


def _grouped(node: exp.Anonymous) -> exp.Expression:
    """A text that says that there is an object; facts with such properties are refused."""
    return exp.func("max", exp.cast(node.expressions[-1], "text"))


def _as_text(node: exp.Anonymous) -> exp.Expression:
    return exp.cast(node.expressions[0], "text")


_NODES: dict[type, Callable[[Any], exp.Expression]] = {
    exp.ArrayConcat: _concatenated,
    exp.Bracket: _bracket,
    exp.Case: _folded,
    exp.Cast: _cast,
    exp.Chr: _character,
    exp.Comprehension: _comprehension,
    exp.Format: _formatted,
    exp.RegexpExtract: _with_patterns,
    exp.RegexpFullMatch: _full_match,
    exp.RegexpLike: _with_patterns,
    exp.RegexpReplace: _replaced,
    exp.TimeToStr: _time,
    exp.Try: _tried,
    exp.TryCast: _cast,
}
_FUNCTIONS: dict[str, Callable[[Any], exp.Expression]] = {
    "json_group_object": _grouped,
    "list_reduce": _reduced,
    "to_json": _as_text,
    "url_decode": _url_decoded,
}


def _is_text(node: exp.Expression) -> bool:
    return isinstance(node, exp.Literal) and node.is_string


def _text(value: str) -> str:
    quoted: str = exp.convert(value).sql("spark")
    return quoted


def _quoted(name: str) -> str:
    quoted: str = exp.to_identifier(name, quoted=True).sql("spark")
    return quoted
