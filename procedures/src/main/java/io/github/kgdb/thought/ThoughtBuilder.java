package io.github.kgdb.thought;

import io.github.kgdb.thought.RelationshipPattern.Arrow;
import io.github.kgdb.thought.Thought.Node;
import io.github.kgdb.thought.Thought.Relationship;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides which patterns of a script are the same node or the same relationship.
 *
 * <p>A variable keeps its meaning to the end of the script, also in later statements. A second
 * declaration means the same thing if it adds nothing. Otherwise it is an error in the same
 * statement, as in Neo4j, and something new in a later one.
 */
final class ThoughtBuilder {
    private final Limits limits;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Relationship> relationships = new ArrayList<>();
    private final Map<String, Variable> variables = new HashMap<>();
    private final Map<Content, Integer> firstOfContent = new HashMap<>();
    private final Set<Relationship> existing = new HashSet<>();
    private int statement;

    ThoughtBuilder(Limits limits) {
        this.limits = limits;
    }

    Thought build() {
        return new Thought(nodes, relationships);
    }

    boolean isEmpty() {
        return nodes.isEmpty();
    }

    void endStatement() {
        statement++;
    }

    /** The name of a path, which no triple needs. */
    void path(Token name) {
        Variable declared = variables.get(name.text());
        if (declared != null && declared.statement == statement) {
            throw declaredAgain(name.text(), name.start(), "has a meaning already");
        }
        variables.put(name.text(), new Variable(Kind.PATH, 0, statement));
    }

    void requireVariable(Token name) {
        if (!variables.containsKey(name.text())) {
            throw new ScriptException(
                    ErrorCode.UNKNOWN_VARIABLE,
                    name.start(),
                    "the variable " + name.shown() + " is not declared");
        }
    }

    /**
     * The position of the node that a pattern stands for.
     *
     * <p>Under MERGE, this is the first node with the same labels and properties. Without
     * properties, only the variable distinguishes unknown nodes: then the pattern is a new node,
     * unless the node is all that is merged.
     *
     * @param isAlone whether it has no relationship in its path
     */
    int node(NodePattern pattern, boolean isMerge, boolean isAlone) {
        Variable declared = variables.get(pattern.variable());
        if (declared != null && isNode(declared, pattern)) {
            return use(pattern.variable(), declared);
        }
        Content content = new Content(pattern.labels(), pattern.properties());
        boolean isTellable = !content.properties.isEmpty() || isAlone && !content.labels.isEmpty();
        Integer position = isMerge && isTellable ? firstOfContent.get(content) : null;
        if (position == null) {
            position = add(pattern);
            firstOfContent.putIfAbsent(content, position);
        }
        return use(pattern.variable(), new Variable(Kind.NODE, position, statement));
    }

    /** Under MERGE, an equal relationship is the same one. */
    void relationship(RelationshipPattern pattern, int left, int right, boolean isMerge) {
        Relationship relationship =
                pattern.arrow() == Arrow.LEFT ? of(pattern, right, left) : of(pattern, left, right);
        boolean isThere = existing.contains(relationship);
        if (pattern.arrow() == Arrow.NONE) {
            isThere |= existing.contains(of(pattern, right, left));
        }
        Variable declared = variables.get(pattern.variable());
        if (declared != null && isRelationship(declared, relationship, pattern)) {
            use(pattern.variable(), declared);
            return;
        }
        if (isMerge && isThere) {
            return;
        }
        if (relationships.size() == limits.maxRelationships()) {
            throw tooMany("relationships", limits.maxRelationships(), pattern.start());
        }
        use(pattern.variable(), new Variable(Kind.RELATIONSHIP, relationships.size(), statement));
        relationships.add(relationship);
        existing.add(relationship);
    }

    /** Gives the variable, if there is one, this meaning from here on. */
    private int use(String name, Variable variable) {
        if (name != null) {
            variables.put(name, new Variable(variable.kind, variable.position, statement));
        }
        return variable.position;
    }

    private int add(NodePattern pattern) {
        if (nodes.size() == limits.maxNodes()) {
            throw tooMany("nodes", limits.maxNodes(), pattern.start());
        }
        nodes.add(
                new Node(pattern.variable(), List.copyOf(pattern.labels()), pattern.properties()));
        return nodes.size() - 1;
    }

    /** Whether the variable still stands for its node. */
    private boolean isNode(Variable declared, NodePattern pattern) {
        if (declared.kind == Kind.NODE) {
            Node node = nodes.get(declared.position);
            if (node.labels().containsAll(pattern.labels())
                    && node.properties().entrySet().containsAll(pattern.properties().entrySet())) {
                return true;
            }
        }
        requireEarlierStatement(declared, pattern.variable(), pattern.start());
        return false;
    }

    private boolean isRelationship(
            Variable declared, Relationship relationship, RelationshipPattern pattern) {
        if (declared.kind == Kind.RELATIONSHIP
                && relationships.get(declared.position).equals(relationship)) {
            return true;
        }
        requireEarlierStatement(declared, pattern.variable(), pattern.start());
        return false;
    }

    private void requireEarlierStatement(Variable declared, String variable, int start) {
        if (declared.statement == statement) {
            throw declaredAgain(
                    variable,
                    start,
                    declared.kind == Kind.PATH
                            ? "is the name of a path already"
                            : "is declared already, and differently");
        }
    }

    private static Relationship of(RelationshipPattern pattern, int source, int target) {
        return new Relationship(source, pattern.type(), target, pattern.properties());
    }

    private static ScriptException declaredAgain(String variable, int start, String what) {
        return new ScriptException(
                ErrorCode.DUPLICATE_VARIABLE,
                start,
                "the variable '"
                        + Token.shorten(variable)
                        + "' "
                        + what
                        + "; use the bare variable for the same thing, and another for a new one");
    }

    private static ScriptException tooMany(String what, int max, int start) {
        return new ScriptException(
                ErrorCode.TOO_MANY, start, "the script has more than " + max + " " + what);
    }

    private enum Kind {
        NODE,
        RELATIONSHIP,
        PATH
    }

    /**
     * @param statement the last statement that used it
     */
    private record Variable(Kind kind, int position, int statement) {}

    private record Content(Set<String> labels, Map<String, Object> properties) {}
}
