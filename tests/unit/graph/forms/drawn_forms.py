"""Forms of every operator over a small schema, for hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from kgdb.graph.forms import operators as forms
from kgdb.graph.schema import PropertyInfo, RelationEnds, Schema

LABELS = ("Movie", "Per`son", "A b")
PROPERTIES = ("released", "motto", "rating", "is open", "place")
RELATIONS = ("ACTED_IN", "is `in`", "x]-() DELETE n //")
ROLE = PropertyInfo("role", "text", {}, ("Neo",))
SINCE = PropertyInfo("since", "date", {}, ("1999",))

SCHEMA = Schema(
    dict.fromkeys(LABELS, 3),
    {
        "released": PropertyInfo("released", "date", {"Movie": 3}, (1999,)),
        "motto": PropertyInfo("motto", "text", {"Movie": 3}, ("so",)),
        "rating": PropertyInfo("rating", "float", {"Movie": 3}, (7.5,)),
        "is open": PropertyInfo("is open", "boolean", {"Movie": 3}, (True,), relation=True),
        "place": PropertyInfo("place", "point", {"Movie": 3}, ()),
    },
    {name: RelationEnds(name, 7, {}, {}, (ROLE, SINCE)) for name in RELATIONS},
)

labels = st.sampled_from(LABELS)
properties = st.sampled_from(PROPERTIES)
relations = st.sampled_from(RELATIONS)
directions = st.sampled_from(("out", "in", "any"))
extremes = st.sampled_from(("max", "min"))
functions = st.sampled_from(("sum", "mean", "min", "max"))
orders = st.sampled_from(("=", "!=", "<", "<=", ">", ">="))
comparators = orders | st.sampled_from(("contains", "starts with"))
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=9)
values = (
    st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
)
numbers = st.integers(1, 9)
qualifiers = st.sampled_from(("role", "since"))
conditions = st.builds(forms.Condition, st.sampled_from(("role", "since")), comparators, values)
maybe_label = st.none() | labels

starts = st.builds(
    forms.Find, texts, st.lists(texts, max_size=3).map(tuple)
) | st.builds(forms.FindAll, maybe_label)  # fmt: skip


def _larger(inner: st.SearchStrategy) -> st.SearchStrategy:
    wheres = st.lists(conditions, max_size=2).map(tuple)
    return st.one_of(
        st.builds(forms.Relate, inner, relations, directions, wheres, st.booleans()),
        st.builds(forms.FilterLabel, inner, labels),
        st.builds(forms.Filter, inner, properties, comparators, values),
        st.builds(
            forms.FilterByCount, inner, relations, orders, numbers, directions, st.none() | inner,
            st.booleans(),
        ),
        st.builds(forms.And, inner, inner),
        st.builds(forms.Or, inner, inner),
        st.builds(forms.Except, inner, inner),
        st.builds(forms.Select, inner, properties, extremes, numbers),
        st.builds(
            forms.SelectByCount, inner, relations, extremes, directions, numbers,
            st.none() | inner, st.booleans(),
        ),
        st.builds(
            forms.SelectByQualifier, inner, relations, qualifiers, extremes, directions,
            st.none() | functions, st.none() | inner, numbers,
        ),
        st.builds(forms.Compare, inner, inner, properties, extremes),
    )  # fmt: skip


entities = st.recursive(starts, _larger, max_leaves=5)
lists = st.builds(forms.Property, entities, properties) | st.builds(
    forms.Qualifier, entities, relations, st.sampled_from(("role", "since")), directions,
    st.none() | entities,
)  # fmt: skip
groups = st.builds(
    forms.GroupBy, entities, st.none() | relations, directions, st.none() | properties,
    st.none() | functions, st.none() | properties, st.none() | qualifiers, st.booleans(),
)  # fmt: skip
counts = st.builds(forms.Count, entities, st.booleans())
aggregates = st.builds(forms.Aggregate, lists, functions)
verdicts = st.builds(forms.Verify, entities | lists | counts | aggregates, comparators, values) | (
    st.builds(forms.Verify, entities | lists | counts | aggregates)
)
every_form = st.one_of(entities, lists, groups, counts, aggregates, verdicts)

MOVIES = forms.FindAll("Movie")
TOM = forms.Find("Tom Hanks", ("7",))
ONE_OF_EACH = (
    TOM,
    MOVIES,
    forms.Relate(TOM, "ACTED_IN", "in", (forms.Condition("role", "=", "Neo"),)),
    forms.FilterLabel(TOM, "Movie"),
    forms.Filter(MOVIES, "released", ">", 1999),
    forms.FilterByCount(MOVIES, "ACTED_IN", ">=", 2, "in", forms.FindAll("Per`son")),
    forms.And(MOVIES, TOM),
    forms.Or(MOVIES, TOM),
    forms.Except(MOVIES, TOM),
    forms.Select(MOVIES, "released", "max", 2),
    forms.SelectByCount(MOVIES, "ACTED_IN", "min", "in", 2, forms.FindAll("Per`son")),
    forms.SelectByQualifier(MOVIES, "ACTED_IN", "since", "max", "in", "min", TOM, 2),
    forms.Compare(TOM, forms.Find("Meg Ryan"), "rating", "max"),
    forms.Property(TOM, "motto"),
    forms.Qualifier(TOM, "ACTED_IN", "role", "out", MOVIES),
    forms.GroupBy(MOVIES, "ACTED_IN", "in", None, "mean", "rating"),
    forms.GroupBy(MOVIES, "ACTED_IN", "in", None, "min", qualifier="since"),
    forms.GroupBy(MOVIES, "ACTED_IN", "in", relationships=True),
    forms.Count(MOVIES),
    forms.Count(forms.Relate(TOM, "ACTED_IN"), relationships=True),
    forms.Aggregate(forms.Property(MOVIES, "rating"), "mean"),
    forms.Verify(forms.Property(TOM, "rating"), ">", 7),
)
