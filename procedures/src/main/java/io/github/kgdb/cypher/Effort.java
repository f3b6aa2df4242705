package io.github.kgdb.cypher;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Estimates how large a value an expression can make and how long that takes. It has to be known
 * beforehand: the server stops a query between rows and reads, but never inside one expression, and
 * counts no memory there. So {@code x + x} of {@code x + x} or a loop in a loop over collected
 * lists, each allowed by itself, would be out of reach of every limit.
 *
 * <p>Only orders of magnitude matter, and where a size is unknown one is assumed.
 */
final class Effort {
    /** A property's value: a name, a description, a list of numbers. */
    private static final long STORED = 30;

    /** The nodes of a path, the labels of a node. */
    private static final long FEW = 10;

    /** What is collected from rows; the limit on memory lets it become no longer. */
    private static final long COLLECTED = 1_000_000;

    private static final long MOST_TEXT = 100_000;
    private static final long MOST_ITEMS = 10 * COLLECTED;
    private static final long MOST_NESTED_ITEMS = 10 * COLLECTED * STORED;
    private static final long MOST_WORK = COLLECTED * STORED;

    private static final Measure SCALAR = new Measure(1, 1, false, 1);
    private static final Measure ENTITY = new Measure(FEW, 1, false, 1);

    private final Map<String, Measure> variables;

    private Effort(Map<String, Measure> variables) {
        this.variables = variables;
    }

    static void check(Tree statements) {
        statements.children().forEach(query -> new Effort(new HashMap<>()).query(query));
    }

    /** Gives the measure of what the query returns. */
    private Measure query(Tree query) {
        if (query.is("UnionAll", "UnionDistinct")) {
            Measure left = new Effort(new HashMap<>(variables)).query(query.child("lhs"));
            return left.or(query(query.child("rhs")));
        }
        Measure last = SCALAR;
        for (Tree clause : query.children("clauses")) {
            last = clause(clause);
        }
        return last;
    }

    private Measure clause(Tree clause) {
        if (clause.is("With", "Return")) {
            return projection(clause);
        }
        if (clause.is("Unwind")) {
            Measure list = bounded(clause.child("expression"));
            variables.put(clause.child("variable").text(), list.item());
            return SCALAR;
        }
        clause.children().forEach(this::bounded);
        return SCALAR;
    }

    private Measure projection(Tree clause) {
        Tree items = clause.child("returnItems");
        Map<String, Measure> projected = new HashMap<>();
        Measure whole = SCALAR;
        for (Tree item : items.children("items")) {
            Measure measure = bounded(item.child("expression"));
            whole = whole.or(measure);
            String name =
                    item.is("AliasedReturnItem")
                            ? item.child("variable").text()
                            : item.text("inputText");
            projected.put(name, measure.withoutWork());
        }
        if (!Boolean.TRUE.equals(items.field("includeExisting")) && clause.is("With")) {
            Map<String, Measure> before = new HashMap<>(variables);
            variables.clear();
            variables.putAll(projected);
            before.putAll(projected);
            new Effort(before).rest(clause);
        } else {
            variables.putAll(projected);
            rest(clause);
        }
        return whole;
    }

    /** ORDER BY, SKIP, LIMIT and WHERE, which see what was there before and what is there now. */
    private void rest(Tree clause) {
        clause.children().stream()
                .filter(part -> part.is("OrderBy", "Skip", "Limit", "Where"))
                .forEach(this::bounded);
    }

    private Measure bounded(Tree expression) {
        Measure measure = measure(expression);
        if (measure.work() > MOST_WORK) {
            throw new Refusal(
                    ReadStatus.TOO_COMPLEX,
                    "going through one large list for each item of another could take too long;"
                            + " match or UNWIND instead of nesting lists",
                    expression.place());
        }
        return measure;
    }

    private Measure measure(Tree tree) {
        if (tree.isText()) {
            return SCALAR;
        }
        return switch (tree.kind()) {
            case "Variable" -> variables.getOrDefault(tree.text(), ENTITY);
            case "StringLiteral" -> new Measure(Math.max(1, tree.text().length()), 1, false, 1);
            case "ListLiteral" -> list(tree.children("expressions"));
            case "MapExpression", "MapProjection" -> map(tree);
            case "Property" -> property(tree);
            case "FunctionInvocation" -> function(tree);
            case "Add", "Concatenate" -> sum(tree);
            case "Equals",
                            "NotEquals",
                            "LessThan",
                            "LessThanOrEqual",
                            "GreaterThan",
                            "GreaterThanOrEqual" ->
                    comparison(tree);
            case "In" -> membership(tree);
            case "RegexMatch" -> regularExpression(tree);
            case "StartsWith",
                            "EndsWith",
                            "Contains",
                            "Not",
                            "And",
                            "Ands",
                            "Or",
                            "Ors",
                            "Xor",
                            "IsNull",
                            "IsNotNull" ->
                    SCALAR.after(all(tree));
            case "ListComprehension",
                            "AllIterablePredicate",
                            "AnyIterablePredicate",
                            "NoneIterablePredicate",
                            "SingleIterablePredicate" ->
                    iteration(tree);
            case "PatternComprehension" -> patternComprehension(tree);
            case "ExistsExpression", "CountExpression" -> SCALAR.after(subquery(tree));
            case "CollectExpression" -> collected(subquery(tree));
            case "ContainerIndex" -> measure(tree.child("expr")).item().after(all(tree));
            case "NamedPatternPart" -> {
                variables.put(tree.child("variable").text(), new Measure(FEW, FEW, true, 1));
                yield all(tree);
            }
            default -> all(tree);
        };
    }

    private Measure all(Tree tree) {
        return all(tree.children());
    }

    private Measure all(List<Tree> trees) {
        Measure whole = SCALAR;
        for (Tree tree : trees) {
            whole = whole.or(measure(tree));
        }
        return whole;
    }

    private Measure list(List<Tree> items) {
        Measure any = all(items);
        return nested(
                new Measure(Math.max(1, items.size()), any.total(), true, any.work()),
                items.isEmpty() ? null : items.get(0));
    }

    private Measure map(Tree map) {
        Measure any = all(map);
        return nested(
                new Measure(
                        Math.max(1, map.children("items").size()), any.total(), false, any.work()),
                map);
    }

    private Measure property(Tree property) {
        Measure map = measure(property.child("map"));
        return new Measure(
                Math.max(STORED, map.element()),
                Math.max(1, map.element() / STORED),
                map.element() >= COLLECTED,
                map.work() + 1);
    }

    private Measure function(Tree call) {
        Measure any = all(call.children("args"));
        List<Tree> arguments = call.children("args");
        return switch (call.child("functionName").text("name").toLowerCase(Locale.ROOT)) {
            case "collect" -> collected(any);
            case "nodes", "relationships", "labels", "keys" ->
                    new Measure(FEW, FEW, true, any.work() + 1);
            case "split" -> new Measure(any.size(), any.size(), true, any.work() + 1);
            case "head", "last" -> any.item().after(any);
            case "replace" -> replaced(call, any, arguments);
            case "count",
                            "sum",
                            "avg",
                            "size",
                            "length",
                            "isempty",
                            "exists",
                            "type",
                            "id",
                            "elementid",
                            "tointeger",
                            "tofloat",
                            "toboolean",
                            "abs",
                            "round" ->
                    SCALAR.after(any);
            default -> any.after(any);
        };
    }

    private static Measure collected(Measure each) {
        return new Measure(COLLECTED, each.total(), true, each.work() + 1);
    }

    private Measure replaced(Tree call, Measure any, List<Tree> arguments) {
        if (arguments.size() < 3) {
            return any;
        }
        long size = measure(arguments.get(0)).size() * (1 + measure(arguments.get(2)).size());
        return grown(new Measure(size, 1, false, any.work() + 1), call);
    }

    private Measure sum(Tree sum) {
        Measure left = measure(sum.child("lhs"));
        Measure right = measure(sum.child("rhs"));
        return grown(
                new Measure(
                        left.size() + right.size(),
                        Math.max(left.element(), right.element()),
                        left.isList() || right.isList(),
                        left.work() + right.work() + 1),
                sum);
    }

    /** [l, l] of [l, l] is small in memory and endless to look through. */
    private static Measure nested(Measure measure, Tree tree) {
        boolean isCollected = measure.size() >= COLLECTED || measure.element() >= COLLECTED;
        if (measure.total() > (isCollected ? MOST_NESTED_ITEMS : COLLECTED)) {
            throw new Refusal(
                    ReadStatus.TOO_COMPLEX,
                    "lists in lists like these could take too long to go through",
                    tree.place());
        }
        return measure;
    }

    private static Measure grown(Measure measure, Tree tree) {
        if (measure.size() > (measure.isList() ? MOST_ITEMS : MOST_TEXT)) {
            throw new Refusal(
                    ReadStatus.TOO_COMPLEX,
                    "a text or list that grows like this could need too much memory",
                    tree.place());
        }
        return measure;
    }

    private Measure comparison(Tree tree) {
        Measure left = measure(tree.child("lhs"));
        Measure right = measure(tree.child("rhs"));
        long compared = left.isList() && right.isList() ? Math.min(left.total(), right.total()) : 1;
        return new Measure(1, 1, false, left.work() + right.work() + compared);
    }

    /** The server looks up a list of a variable by hash, but makes the hash anew for others. */
    private Measure membership(Tree in) {
        Measure any = all(in);
        Tree list = in.child("rhs");
        long looked = list.is("Variable") ? 1 : measure(list).size();
        return new Measure(1, 1, false, any.work() + looked);
    }

    /** A text of n characters may take n² steps. */
    private Measure regularExpression(Tree match) {
        Measure text = measure(match.child("lhs"));
        return new Measure(1, 1, false, text.work() + text.size() * text.size() * STORED);
    }

    private Measure iteration(Tree tree) {
        Measure list = measure(tree.child("expression"));
        Tree scope = tree.child("scope");
        Map<String, Measure> inside = new HashMap<>(variables);
        inside.put(scope.child("variable").text(), list.item());
        Measure body = new Effort(inside).all(scope);
        long work = list.work() + list.size() * body.work();
        if (!tree.is("ListComprehension")) {
            return new Measure(1, 1, false, work);
        }
        return nested(
                new Measure(list.size(), Math.max(list.element(), body.total()), true, work), tree);
    }

    /** Reads the graph at every step, so that it can be stopped at every step. */
    private Measure patternComprehension(Tree tree) {
        Measure each = new Effort(new HashMap<>(variables)).all(tree);
        return collected(each);
    }

    private Measure subquery(Tree tree) {
        return new Effort(new HashMap<>(variables)).query(tree.child("query"));
    }

    /**
     * @param size the characters of a text or the items of a list, 1 for any other value
     * @param element the largest {@link #total} of an item
     * @param total all that is in it, lists in lists written out
     * @param isList whether it is known to be one
     * @param work steps to make it
     */
    private record Measure(long size, long element, long total, boolean isList, long work) {
        Measure {
            size = Math.min(size, Integer.MAX_VALUE);
            element = Math.min(element, Integer.MAX_VALUE);
            work = Math.min(work, Integer.MAX_VALUE);
        }

        Measure(long size, long element, boolean isList, long work) {
            this(
                    size,
                    element,
                    Math.min(size, Integer.MAX_VALUE) * Math.min(element, Integer.MAX_VALUE),
                    isList,
                    work);
        }

        /** May itself be a list, of items as large as it is; but it is no more than its total. */
        Measure item() {
            return new Measure(element, element, element, element >= COLLECTED, 1);
        }

        /** Either of two values, made one after the other. */
        Measure or(Measure other) {
            return new Measure(
                    Math.max(size, other.size),
                    Math.max(element, other.element),
                    Math.max(total, other.total),
                    isList || other.isList,
                    work + other.work);
        }

        Measure after(Measure before) {
            return new Measure(size, element, total, isList, before.work + 1);
        }

        Measure withoutWork() {
            return new Measure(size, element, total, isList, 1);
        }
    }
}
