package io.github.kgdb.cypher;

import org.neo4j.cypher.internal.expressions.Expression;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The language of read-only queries: an allow-list of syntax tree classes and functions. Everything
 * else is refused, also what a later server adds.
 */
final class ReadLanguage {
    static final String CLAUSES =
            "MATCH, OPTIONAL MATCH, WHERE, WITH, UNWIND, RETURN, ORDER BY, SKIP, LIMIT or UNION";

    private static final String TREE = "org.neo4j.cypher.internal.";

    private static final Set<String> CLASSES =
            Stream.of(
                            names(
                                    "ast.",
                                    "Statements SingleQuery UnionAll UnionDistinct Match Where With"
                                            + " DefaultWith$ Unwind Return ReturnItems"
                                            + " AliasedReturnItem UnaliasedReturnItem OrderBy"
                                            + " AscSortItem DescSortItem Skip Limit"
                                            + " ExistsExpression CountExpression"
                                            + " CollectExpression"),
                            names(
                                    "expressions.",
                                    "Pattern$ForMatch PatternPartWithSelector PatternPart$AllPaths"
                                            + " NamedPatternPart PathPatternPart"
                                            + " ShortestPathsPatternPart ShortestPathExpression"
                                            + " MatchMode$DifferentRelationships NodePattern"
                                            + " RelationshipPattern RelationshipChain"
                                            + " RelationshipsPattern PatternExpression"
                                            + " PatternComprehension Range"
                                            + " SemanticDirection$BOTH$"
                                            + " SemanticDirection$INCOMING$"
                                            + " SemanticDirection$OUTGOING$"),
                            names(
                                    "expressions.",
                                    "And Ands Or Ors Xor Not Equals NotEquals LessThan"
                                            + " LessThanOrEqual GreaterThan GreaterThanOrEqual In"
                                            + " StartsWith EndsWith Contains IsNull IsNotNull"
                                            + " RegexMatch Add Concatenate Subtract Multiply Divide"
                                            + " Modulo Pow UnaryAdd UnarySubtract"),
                            names(
                                    "expressions.",
                                    "Variable Property PropertyKeyName LabelName RelTypeName"
                                            + " LabelOrRelTypeName CountStar FunctionInvocation"
                                            + " FunctionName Namespace"
                                            + " FunctionInvocation$ArgumentUnordered$"
                                            + " CaseExpression AllIterablePredicate"
                                            + " AnyIterablePredicate NoneIterablePredicate"
                                            + " SingleIterablePredicate FilterScope"
                                            + " ListComprehension ExtractScope ContainerIndex"
                                            + " ListSlice MapProjection AllPropertiesSelector"
                                            + " PropertySelector VariableSelector LiteralEntry"),
                            names(
                                    "expressions.",
                                    "ListLiteral MapExpression StringLiteral True False Null"
                                            + " SignedDecimalIntegerLiteral"
                                            + " UnsignedDecimalIntegerLiteral"
                                            + " SignedHexIntegerLiteral SignedOctalIntegerLiteral"
                                            + " DecimalDoubleLiteral Infinity NaN"),
                            names(
                                    "label_expressions.",
                                    "LabelExpression$Leaf LabelExpression$Negation"
                                            + " LabelExpression$Conjunctions"
                                            + " LabelExpression$Disjunctions"
                                            + " LabelExpression$ColonConjunction"
                                            + " LabelExpression$ColonDisjunction"
                                            + " LabelExpression$Wildcard"
                                            + " LabelExpressionPredicate"))
                    .flatMap(names -> names)
                    .collect(Collectors.toUnmodifiableSet());

    /** In lower case. None reads more than its arguments and the graph. */
    private static final Set<String> FUNCTIONS =
            Set.of(
                    ("count collect sum avg min max stdev stdevp percentilecont percentiledisc"
                                    + " id elementid labels type properties keys startnode endnode"
                                    + " nodes relationships length size head last tail reverse"
                                    + " coalesce nullif isempty exists isnan"
                                    + " tolower toupper lower upper trim ltrim rtrim btrim left"
                                    + " right substring split replace char_length"
                                    + " character_length tostring tostringornull tointeger"
                                    + " tointegerornull tofloat tofloatornull toboolean"
                                    + " tobooleanornull abs ceil floor round sign sqrt exp log"
                                    + " log10 date datetime localdatetime time localtime duration")
                            .split(" "));

    /** Names that people use, where the tree's names differ. */
    private static final Map<String, String> WORDS =
            Map.ofEntries(
                    Map.entry("SetClause", "SET"),
                    Map.entry("UnresolvedCall", "CALL"),
                    Map.entry("ImportingWithSubqueryCall", "CALL { … }"),
                    Map.entry("ScopeClauseSubqueryCall", "CALL { … }"),
                    Map.entry("UseGraph", "USE"),
                    Map.entry("LoadCSV", "LOAD CSV"),
                    Map.entry("ExplicitParameter", "a parameter ($…)"),
                    Map.entry("DynamicLeaf", "a label or type worked out at run time ($(…))"),
                    Map.entry("QuantifiedPath", "a quantified path, written {1,3} or +,"),
                    Map.entry("PathConcatenation", "a quantified path, written {1,3} or +,"),
                    Map.entry("ParenthesizedPath", "a path pattern in parentheses"),
                    Map.entry("ReduceExpression", "reduce()"),
                    Map.entry("AnyShortestPath", "ANY or SHORTEST before a pattern"),
                    Map.entry("RepeatableElements", "REPEATABLE ELEMENTS"),
                    Map.entry("IsTyped", "IS ::"),
                    Map.entry("IsNotTyped", "IS NOT ::"),
                    Map.entry("InvalidNotEquals", "!=, which Cypher writes <>,"));

    private ReadLanguage() {}

    static boolean allows(Class<?> node) {
        return CLASSES.contains(node.getName());
    }

    static boolean allowsFunction(String name) {
        return FUNCTIONS.contains(name.toLowerCase(Locale.ROOT));
    }

    static boolean isExpression(Class<?> node) {
        return !node.getName().startsWith(TREE + "ast.") || Expression.class.isAssignableFrom(node);
    }

    /** "CREATE", "DROP USER", "reduce()". */
    static String describe(Class<?> node) {
        String name = node.getName().replaceAll("\\$$", "").replaceAll("^.*[.$]", "");
        String words = WORDS.get(name);
        if (words != null) {
            return words;
        }
        String split = name.replaceAll("(?<=[a-z])(?=[A-Z])", " ");
        return isExpression(node) ? split.toLowerCase(Locale.ROOT) : split.toUpperCase(Locale.ROOT);
    }

    private static Stream<String> names(String inside, String names) {
        return Arrays.stream(names.split(" ")).map(name -> TREE + inside + name);
    }
}
