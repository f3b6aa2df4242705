package io.github.kgdb.graph;

import io.github.kgdb.kernel.Direction;
import io.github.kgdb.kernel.GraphReader;
import io.github.kgdb.kernel.RelationStep;
import io.github.kgdb.kernel.Termination;

import org.neo4j.internal.kernel.api.CursorFactory;
import org.neo4j.internal.kernel.api.NodeCursor;
import org.neo4j.internal.kernel.api.Read;
import org.neo4j.internal.kernel.api.RelationshipTraversalCursor;
import org.neo4j.io.pagecache.context.CursorContext;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.memory.MemoryTracker;
import org.neo4j.storageengine.api.Degrees;
import org.neo4j.storageengine.api.RelationshipSelection;
import org.neo4j.token.api.TokenConstants;

/**
 * Reads one graph, or the whole store, through kernel cursors: they sum up degrees and pick single
 * relations out of a hub without touching its other relationships.
 *
 * <p>Neighbours outside the graph are passed over. A menu still counts them, since it reads no
 * relationship.
 */
final class CursorGraphReader implements GraphReader, AutoCloseable {
    private static final int CHECK_EVERY = 1024;

    private final Read read;
    private final NodeCursor node;
    private final NodeCursor neighbour;
    private final RelationshipTraversalCursor relationship;
    private final KnowledgeGraph graph;
    private final int label;
    private final Termination termination;

    CursorGraphReader(
            KernelTransaction transaction, KnowledgeGraph graph, Termination termination) {
        CursorFactory cursors = transaction.cursors();
        CursorContext context = transaction.cursorContext();
        MemoryTracker memory = transaction.memoryTracker();
        this.read = transaction.dataRead();
        this.node = cursors.allocateNodeCursor(context, memory);
        this.neighbour = cursors.allocateNodeCursor(context, memory);
        this.relationship = cursors.allocateRelationshipTraversalCursor(context, memory);
        this.graph = graph;
        this.label =
                graph.isWholeStore()
                        ? TokenConstants.NO_TOKEN
                        : transaction.tokenRead().nodeLabel(graph.label());
        this.termination = termination;
    }

    @Override
    public boolean expand(long start, RelationStep step, long cap, RelationshipVisitor visitor) {
        termination.check();
        read.singleNode(start, node);
        if (!node.next()) {
            return false;
        }
        Direction direction = step.direction();
        node.relationships(relationship, selection(step));
        for (long seen = 0; relationship.next(); seen++) {
            if (seen == cap) {
                return true;
            }
            if (seen % CHECK_EVERY == CHECK_EVERY - 1) {
                termination.check();
            }
            long source = relationship.sourceNodeReference();
            long target = relationship.targetNodeReference();
            if (!isInGraph(source == start ? target : source)) {
                continue;
            }
            if (source == start && direction != Direction.IN) {
                visitor.visit(relationship.type(), Direction.OUT, target);
            }
            if (target == start && direction != Direction.OUT) {
                visitor.visit(relationship.type(), Direction.IN, source);
            }
        }
        return false;
    }

    @Override
    public void menu(long start, MenuVisitor visitor) {
        termination.check();
        read.singleNode(start, node);
        if (!node.next()) {
            return;
        }
        Degrees degrees = node.degrees(RelationshipSelection.ALL_RELATIONSHIPS);
        for (int type : degrees.types()) {
            visitor.visit(type, degrees.outgoingDegree(type), degrees.incomingDegree(type));
        }
    }

    @Override
    public void close() {
        relationship.close();
        neighbour.close();
        node.close();
    }

    private boolean isInGraph(long reference) {
        if (graph.isWholeStore()) {
            return true;
        }
        read.singleNode(reference, neighbour);
        return neighbour.next() && neighbour.hasLabel(label);
    }

    private static RelationshipSelection selection(RelationStep step) {
        org.neo4j.graphdb.Direction direction =
                switch (step.direction()) {
                    case OUT -> org.neo4j.graphdb.Direction.OUTGOING;
                    case IN -> org.neo4j.graphdb.Direction.INCOMING;
                    case BOTH -> org.neo4j.graphdb.Direction.BOTH;
                };
        return step.relation() == RelationStep.ANY_RELATION
                ? RelationshipSelection.selection(direction)
                : RelationshipSelection.selection(step.relation(), direction);
    }
}
