package io.github.kgdb.kernel.reference;

import io.github.kgdb.graph.store.KnowledgeGraph;
import io.github.kgdb.graph.store.NodeFilter;
import io.github.kgdb.kernel.api.Direction;
import io.github.kgdb.kernel.api.GraphReader;
import io.github.kgdb.kernel.api.StepFilter;

import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.ResourceIterable;
import org.neo4j.internal.kernel.api.TokenRead;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;

/** The same contract through Neo4j's public API: the reference for the cursor implementation. */
final class CoreGraphReader implements GraphReader {
    private static final Label MEDIATOR = Label.label("Mediator");

    private final InternalTransaction transaction;
    private final KnowledgeGraph graph;
    private final NodeFilter filter;
    private final Long minWeight;
    private final TokenRead tokens;

    /**
     * @param minWeight the least weight of a relationship to follow, or null
     */
    CoreGraphReader(
            InternalTransaction transaction,
            KnowledgeGraph graph,
            NodeFilter filter,
            Long minWeight) {
        this.minWeight = minWeight;
        this.transaction = transaction;
        this.graph = graph;
        this.filter = filter;
        this.tokens = transaction.kernelTransaction().tokenRead();
    }

    @Override
    public void expand(
            long start, StepFilter steps, LongPredicate exempt, RelationshipVisitor visitor) {
        visit(
                start,
                minWeight,
                (relation, direction, other) -> {
                    if (steps.allows(relation, direction)
                            && (mayVisit(other) || exempt.test(other))) {
                        visitor.visit(relation, direction, other);
                    }
                });
    }

    @Override
    public boolean expandIfSparse(
            long start, StepFilter steps, LongPredicate exempt, RelationshipVisitor visitor) {
        if (minWeight != null) {
            return false;
        }
        expand(start, steps, exempt, visitor);
        return true;
    }

    @Override
    public long degree(long start, StepFilter steps) {
        long[] degree = {0};
        visit(
                start,
                null,
                (relation, direction, other) -> {
                    if (steps.allows(relation, direction)) {
                        degree[0]++;
                    }
                });
        return degree[0];
    }

    @Override
    public long degreeUpTo(long start, StepFilter steps, long limit) {
        return degree(start, steps);
    }

    @Override
    public boolean isSparse(long start) {
        return true;
    }

    @Override
    public void degreesByType(long start, DegreeVisitor visitor) {
        Map<Integer, long[]> counts = new TreeMap<>();
        visit(
                start,
                null,
                (relation, direction, other) ->
                        counts.computeIfAbsent(relation, unseen -> new long[2])[
                                direction.ordinal()]++);
        counts.forEach((relation, count) -> visitor.visit(relation, count[0], count[1]));
    }

    @Override
    public boolean staysInside(int relation) {
        return false;
    }

    @Override
    public boolean isMediator(long number) {
        return isMediator(node(number));
    }

    /** Every relationship, whatever its other end. */
    private void visit(long start, Long minWeight, RelationshipVisitor visitor) {
        Node node = node(start);
        try (ResourceIterable<Relationship> relationships = node.getRelationships()) {
            for (Relationship relationship : relationships) {
                if (minWeight != null
                        && (long) relationship.getProperty("weight", -1L) < minWeight) {
                    continue;
                }
                int type = tokens.relationshipType(relationship.getType().name());
                long other = number(relationship.getOtherNode(node));
                if (relationship.getStartNode().equals(node)) {
                    visitor.visit(type, Direction.OUT, other);
                }
                if (relationship.getEndNode().equals(node)) {
                    visitor.visit(type, Direction.IN, other);
                }
            }
        }
    }

    @Override
    public boolean mayVisit(long number) {
        Node node = node(number);
        return (graph.isWholeStore()
                        || graph.labels().stream().map(Label::label).anyMatch(node::hasLabel))
                && (filter.labels().isEmpty()
                        || isMediator(node)
                        || filter.labels().stream().map(Label::label).anyMatch(node::hasLabel));
    }

    private boolean isMediator(Node node) {
        return filter.mediators() && node.hasLabel(MEDIATOR);
    }

    private Node node(long number) {
        return transaction.getNodeByElementId(transaction.elementIdMapper().nodeElementId(number));
    }

    private long number(Node node) {
        return transaction.elementIdMapper().nodeId(node.getElementId());
    }
}
