package io.github.kgdb.cypher;

import io.github.kgdb.cypher.ReadQuery.Kind;
import io.github.kgdb.cypher.ReadQuery.Limits;
import io.github.kgdb.cypher.ReadQuery.Name;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Walks over a syntax tree and refuses every node that is not in the language. */
final class ReadChecker {
    private static final int MAX_NESTED = 200;
    private static final int MAX_NODES = 10_000;

    /** Beyond these, planning takes long and can hardly be interrupted. */
    private static final int MAX_RELATIONSHIPS = 30;

    private static final int MAX_CLAUSES = 60;
    private static final int MAX_XOR = 8;
    private static final int MAX_SUBQUERIES = 3;
    private static final int MAX_ALTERNATIONS = 12;

    private static final Set<String> SUBQUERIES =
            Set.of("ExistsExpression", "CountExpression", "CollectExpression");
    private static final Set<String> LOGIC =
            Set.of(
                    "And",
                    "Ands",
                    "Or",
                    "Ors",
                    "Not",
                    "Xor",
                    "LabelExpression$Negation",
                    "LabelExpression$Conjunctions",
                    "LabelExpression$Disjunctions",
                    "LabelExpression$ColonConjunction",
                    "LabelExpression$ColonDisjunction");

    private static final Pattern INTEGER = Pattern.compile("\\d{1,9}");
    private static final Set<String> TEMPORAL =
            Set.of("date", "datetime", "localdatetime", "time", "localtime", "duration");

    private final Limits limits;
    private final List<Name> names = new ArrayList<>();
    private final Set<String> mapKeys = new HashSet<>();
    private final Set<Object> patternMaps = Collections.newSetFromMap(new IdentityHashMap<>());
    private int nodes;
    private int relationships;
    private int clauses;
    private int exclusive;
    private boolean temporal;

    ReadChecker(Limits limits) {
        this.limits = limits;
    }

    void check(AstNode statements) {
        List<AstNode> all = statements.children("statements");
        if (all.size() > 1) {
            throw new Refusal(
                    ReadStatus.SEVERAL_STATEMENTS,
                    "write one query only, here a second one begins",
                    all.get(1).position());
        }
        visit(statements, statements, Nesting.NONE);
    }

    /** The labels, types and property keys that the store must have, in the order of the text. */
    List<Name> names() {
        return names.stream()
                .filter(name -> name.kind() != Kind.KEY || !isOfNoNode(name.text()))
                .sorted(Comparator.comparingInt(Name::offset))
                .toList();
    }

    /** A property may also belong to a map in the script or to a date. */
    private boolean isOfNoNode(String key) {
        return mapKeys.contains(key) || temporal;
    }

    /**
     * @param around the innermost enclosing node that has a position
     */
    private void visit(AstNode tree, AstNode around, Nesting aroundNesting) {
        if (tree.isText()) {
            return;
        }
        AstNode at = tree.hasPosition() ? tree : around;
        if (!ReadLanguage.allows(tree.value().getClass())) {
            throw forbidden(tree, at);
        }
        Nesting nesting = aroundNesting.inside(tree);
        requireShallow(nesting, at);
        count(tree, at);
        inspect(tree, at);
        for (AstNode child : tree.children()) {
            visit(child, at, nesting);
        }
    }

    private static Refusal forbidden(AstNode tree, AstNode at) {
        Class<?> node = tree.value().getClass();
        String what = ReadLanguage.describe(node);
        return ReadLanguage.isExpression(node)
                ? new Refusal(
                        ReadStatus.FORBIDDEN_CONSTRUCT,
                        what + " is not allowed here; write the query without it",
                        at.position())
                : new Refusal(
                        ReadStatus.FORBIDDEN_CLAUSE,
                        what + " is not allowed, the query may only read: " + ReadLanguage.CLAUSES,
                        at.position());
    }

    private static void requireShallow(Nesting nesting, AstNode at) {
        if (nesting.all() > MAX_NESTED) {
            throw new Refusal(
                    ReadStatus.TOO_DEEP, "expressions are nested too deep", at.position());
        }
        limit(
                nesting.subqueries(),
                MAX_SUBQUERIES,
                "EXISTS, COUNT or COLLECT inside one another",
                at);
        limit(
                nesting.alternations(),
                MAX_ALTERNATIONS,
                "alternations of AND, OR and NOT inside one another",
                at);
    }

    private void count(AstNode tree, AstNode at) {
        limit(++nodes, MAX_NODES, "expressions", at);
        if (tree.is("RelationshipPattern")) {
            limit(++relationships, MAX_RELATIONSHIPS, "relationships in patterns", at);
        } else if (tree.is("Match", "With", "Return", "Unwind")) {
            limit(++clauses, MAX_CLAUSES, "clauses", at);
        } else if (tree.is("Xor")) {
            limit(++exclusive, MAX_XOR, "XOR", at);
        }
    }

    private static void limit(int count, int max, String what, AstNode at) {
        if (count > max) {
            throw new Refusal(
                    ReadStatus.TOO_COMPLEX,
                    "the query has more than " + max + " " + what + "; make it simpler",
                    at.position());
        }
    }

    private void inspect(AstNode tree, AstNode at) {
        switch (tree.kind()) {
            case "FunctionInvocation" -> requireAllowed(tree.child("functionName"), at);
            case "RelationshipPattern" -> {
                requireBounded(tree, at);
                propertiesOf(tree);
            }
            case "NodePattern" -> propertiesOf(tree);
            case "RegexMatch" -> requireSafe(tree.child("rhs"), at);
            case "LabelName" -> name(Kind.LABEL, tree);
            case "RelTypeName" -> name(Kind.TYPE, tree);
            case "LabelOrRelTypeName" -> name(Kind.LABEL_OR_TYPE, tree);
            case "Property" -> {
                if (tree.child("map").is("Variable")) {
                    name(Kind.KEY, tree.child("propertyKey"));
                }
            }
            case "PropertySelector" -> name(Kind.KEY, tree.child("key"));
            case "LiteralEntry" -> mapKeys.add(tree.child("key").text());
            case "MapExpression" -> {
                if (!patternMaps.contains(tree.value())) {
                    keysOf(tree).forEach(key -> mapKeys.add(key.text()));
                }
            }
            default -> {}
        }
    }

    private void requireAllowed(AstNode name, AstNode at) {
        List<AstNode> namespace = name.child("namespace").children("parts");
        String text = name.text("name");
        if (!namespace.isEmpty() || !ReadLanguage.allowsFunction(text)) {
            StringBuilder whole = new StringBuilder();
            namespace.forEach(part -> whole.append(part.value()).append('.'));
            throw new Refusal(
                    ReadStatus.FORBIDDEN_FUNCTION,
                    "the function " + whole + text + "() is not allowed",
                    at.position());
        }
        temporal |= TEMPORAL.contains(text.toLowerCase(Locale.ROOT));
    }

    private void requireBounded(AstNode relationship, AstNode at) {
        if (!(relationship.field("length") instanceof scala.Some<?>)) {
            return;
        }
        AstNode range = relationship.child("length");
        AstNode upper = range == null ? null : range.child("upper");
        if (upper == null
                || !INTEGER.matcher(upper.text()).matches()
                || Integer.parseInt(upper.text()) > limits.maxPathLength()) {
            throw new Refusal(
                    ReadStatus.PATH_LENGTH,
                    "a path of variable length needs an upper bound of at most "
                            + limits.maxPathLength()
                            + ", as in *1.."
                            + limits.maxPathLength(),
                    at.position());
        }
    }

    private static void requireSafe(AstNode pattern, AstNode at) {
        if (!pattern.is("StringLiteral") || !SafeRegex.allows(pattern.text())) {
            throw new Refusal(
                    ReadStatus.FORBIDDEN_CONSTRUCT,
                    "after =~ only a literal pattern is allowed of " + SafeRegex.EXPECTED,
                    at.position());
        }
    }

    /** {name: 'x'} in a pattern tests a property; elsewhere it makes a map. */
    private void propertiesOf(AstNode pattern) {
        AstNode properties = pattern.child("properties");
        if (properties != null && properties.is("MapExpression")) {
            patternMaps.add(properties.value());
            keysOf(properties).forEach(key -> name(Kind.KEY, key));
        }
    }

    private static List<AstNode> keysOf(AstNode map) {
        return map.children("items").stream().filter(item -> item.is("PropertyKeyName")).toList();
    }

    private void name(Kind kind, AstNode name) {
        names.add(new Name(kind, name.text(), name.offset()));
    }

    /**
     * What encloses a node.
     *
     * @param logic the kind of the innermost logical operator, or ""
     */
    private record Nesting(int all, int subqueries, int alternations, String logic) {
        static final Nesting NONE = new Nesting(0, 0, 0, "");

        Nesting inside(AstNode tree) {
            String kind = tree.kind();
            boolean alternates = LOGIC.contains(kind) && !kind.equals(logic);
            return new Nesting(
                    all + 1,
                    subqueries + (SUBQUERIES.contains(kind) ? 1 : 0),
                    alternations + (alternates ? 1 : 0),
                    alternates ? kind : logic);
        }
    }
}
