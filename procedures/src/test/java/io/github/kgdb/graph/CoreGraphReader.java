package io.github.kgdb.graph;

import io.github.kgdb.kernel.Direction;
import io.github.kgdb.kernel.GraphReader;
import io.github.kgdb.kernel.RelationStep;

import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.ResourceIterable;
import org.neo4j.internal.kernel.api.TokenRead;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;

import java.util.Map;
import java.util.TreeMap;

/** The same contract by Neo4j's public API, as the reference for what reads cursors. */
final class CoreGraphReader implements GraphReader {
    private final InternalTransaction transaction;
    private final KnowledgeGraph graph;
    private final TokenRead tokens;

    CoreGraphReader(InternalTransaction transaction, KnowledgeGraph graph) {
        this.transaction = transaction;
        this.graph = graph;
        KernelTransaction kernel = transaction.kernelTransaction();
        this.tokens = kernel.tokenRead();
    }

    @Override
    public boolean expand(long start, RelationStep step, long cap, RelationshipVisitor visitor) {
        Node node = node(start);
        try (ResourceIterable<Relationship> relationships = relationships(node, step)) {
            long seen = 0;
            for (Relationship relationship : relationships) {
                if (seen++ == cap) {
                    return true;
                }
                Node other = relationship.getOtherNode(node);
                if (!graph.isWholeStore() && !other.hasLabel(Label.label(graph.label()))) {
                    continue;
                }
                int type = tokens.relationshipType(relationship.getType().name());
                if (relationship.getStartNode().equals(node) && step.direction() != Direction.IN) {
                    visitor.visit(type, Direction.OUT, number(other));
                }
                if (relationship.getEndNode().equals(node) && step.direction() != Direction.OUT) {
                    visitor.visit(type, Direction.IN, number(other));
                }
            }
        }
        return false;
    }

    @Override
    public void menu(long start, MenuVisitor visitor) {
        Map<Integer, long[]> counts = new TreeMap<>();
        expand(
                start,
                new RelationStep(RelationStep.ANY_RELATION, Direction.BOTH),
                Long.MAX_VALUE,
                (type, direction, other) ->
                        counts.computeIfAbsent(type, unseen -> new long[2])[direction.ordinal()]++);
        counts.forEach((type, count) -> visitor.visit(type, count[0], count[1]));
    }

    private ResourceIterable<Relationship> relationships(Node node, RelationStep step) {
        org.neo4j.graphdb.Direction direction =
                switch (step.direction()) {
                    case OUT -> org.neo4j.graphdb.Direction.OUTGOING;
                    case IN -> org.neo4j.graphdb.Direction.INCOMING;
                    case BOTH -> org.neo4j.graphdb.Direction.BOTH;
                };
        return step.relation() == RelationStep.ANY_RELATION
                ? node.getRelationships(direction)
                : node.getRelationships(
                        direction,
                        RelationshipType.withName(tokens.relationshipTypeGetName(step.relation())));
    }

    private Node node(long number) {
        return transaction.getNodeByElementId(transaction.elementIdMapper().nodeElementId(number));
    }

    private long number(Node node) {
        return transaction.elementIdMapper().nodeId(node.getElementId());
    }
}
