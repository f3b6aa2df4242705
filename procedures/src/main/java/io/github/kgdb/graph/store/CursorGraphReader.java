package io.github.kgdb.graph.store;

import static io.github.kgdb.kernel.api.Direction.IN;
import static io.github.kgdb.kernel.api.Direction.OUT;

import static org.neo4j.token.api.TokenConstants.NO_TOKEN;

import io.github.kgdb.kernel.api.GraphReader;
import io.github.kgdb.kernel.api.RelationStep;
import io.github.kgdb.kernel.api.StepFilter;
import io.github.kgdb.kernel.api.Termination;

import org.eclipse.collections.api.set.primitive.IntSet;
import org.neo4j.graphdb.Direction;
import org.neo4j.internal.kernel.api.CursorFactory;
import org.neo4j.internal.kernel.api.NodeCursor;
import org.neo4j.internal.kernel.api.PropertyCursor;
import org.neo4j.internal.kernel.api.Read;
import org.neo4j.internal.kernel.api.RelationshipTraversalCursor;
import org.neo4j.io.pagecache.context.CursorContext;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.memory.MemoryTracker;
import org.neo4j.storageengine.api.Degrees;
import org.neo4j.storageengine.api.RelationshipSelection;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * Reads one graph, or the whole store, through kernel cursors. They return degrees, and single
 * relations of a hub, without reading its other relationships.
 *
 * <p>Skips relationships that may not be followed and neighbors that may not be visited. Degrees
 * include them, because computing a degree reads no relationship.
 */
public final class CursorGraphReader implements GraphReader, AutoCloseable {
    public static final long NOT_SPARSE = -1;

    private static final int CHECK_EVERY = 1024;
    private static final int WIDE = 16;

    private final Read read;
    private final NodeCursor node;
    private final NodeCursor neighbor;
    private final RelationshipTraversalCursor relationship;
    private final PropertyCursor properties;
    private final RelationshipFilter relationships;
    private final EnclosedRelations enclosed;
    private final Termination termination;
    private final GraphLabels graphLabels;
    private final int[] labels;
    private final int mediatorLabel;
    private Selected latest;

    public CursorGraphReader(
            KernelTransaction transaction,
            KnowledgeGraph graph,
            NodeFilter filter,
            RelationshipFilter relationships,
            EnclosedRelations enclosed,
            Termination termination) {
        CursorFactory cursors = transaction.cursors();
        CursorContext context = transaction.cursorContext();
        MemoryTracker memory = transaction.memoryTracker();
        Labels names = new Labels(transaction.tokenRead());
        this.read = transaction.dataRead();
        this.graphLabels = GraphLabels.of(graph, transaction.tokenRead());
        this.labels = names.required(filter.labels());
        this.mediatorLabel = filter.mediators() ? names.number(Labels.MEDIATOR) : NO_TOKEN;
        this.relationships = relationships;
        this.enclosed = enclosed;
        this.termination = termination;
        this.node = cursors.allocateNodeCursor(context, memory);
        this.neighbor = cursors.allocateNodeCursor(context, memory);
        this.relationship = cursors.allocateRelationshipTraversalCursor(context, memory);
        this.properties = cursors.allocatePropertyCursor(context, memory);
    }

    @Override
    public void expand(
            long start, StepFilter steps, LongPredicate exempt, RelationshipVisitor visitor) {
        termination.check();
        read.singleNode(start, node);
        if (node.next()) {
            expandHere(start, steps, exempt, visitor);
        }
    }

    @Override
    public boolean expandIfSparse(
            long start, StepFilter steps, LongPredicate exempt, RelationshipVisitor visitor) {
        return expandSparse(start, steps, exempt, visitor) != NOT_SPARSE;
    }

    /**
     * Expands a node only if it {@link #isSparse}.
     *
     * @return the number of relationships read, or {@link #NOT_SPARSE}
     */
    public long expandSparse(
            long start, StepFilter steps, LongPredicate exempt, RelationshipVisitor visitor) {
        termination.check();
        read.singleNode(start, node);
        if (!node.next()) {
            return 0;
        }
        return node.supportsFastDegreeLookup() || !relationships.isEmpty()
                ? NOT_SPARSE
                : expandHere(start, steps, exempt, visitor);
    }

    /**
     * Expands the node at the cursor.
     *
     * @return the number of relationships read
     */
    private long expandHere(
            long start, StepFilter steps, LongPredicate exempt, RelationshipVisitor visitor) {
        if (!hasSelection(steps) && !node.supportsFastDegreeLookup()) {
            return visit(start, null, Direction.BOTH, steps, exempt, visitor);
        }
        Selected followed = selected(hasSelection(steps) ? steps : present(steps));
        int[] outgoing = followed.outgoing();
        int[] incoming = followed.incoming();
        if (Arrays.equals(outgoing, incoming)) {
            return visit(start, outgoing, Direction.BOTH, null, exempt, visitor);
        }
        return visit(start, outgoing, Direction.OUTGOING, null, exempt, visitor)
                + visit(start, incoming, Direction.INCOMING, null, exempt, visitor);
    }

    @Override
    public long degree(long start, StepFilter steps) {
        termination.check();
        read.singleNode(start, node);
        return node.next() ? degree(steps, Integer.MAX_VALUE) : 0;
    }

    @Override
    public long degreeUpTo(long start, StepFilter steps, long limit) {
        termination.check();
        read.singleNode(start, node);
        if (!node.next()) {
            return 0;
        }
        int max = (int) Math.min(limit, Integer.MAX_VALUE);
        if (!hasSelection(steps)) {
            return degree(steps, max);
        }
        Selected counted = selected(steps);
        return Arrays.equals(counted.outgoing(), counted.incoming())
                ? degree(counted.outgoing(), Direction.BOTH, max)
                : degree(steps, max);
    }

    @Override
    public boolean isSparse(long start) {
        read.singleNode(start, node);
        return !node.next() || !node.supportsFastDegreeLookup();
    }

    @Override
    public void degreesByType(long start, DegreeVisitor visitor) {
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
    public boolean leadsInside(long start, RelationStep step) {
        if (staysInside(step.relation())) {
            return true;
        }
        read.singleNode(start, node);
        if (!node.next()) {
            return false;
        }
        Direction direction = step.direction() == OUT ? Direction.OUTGOING : Direction.INCOMING;
        node.relationships(relationship, selection(new int[] {step.relation()}, direction));
        for (long seen = 1; relationship.next(); seen++) {
            if (seen % CHECK_EVERY == 0) {
                termination.check();
            }
            if (mayVisit(relationship.otherNodeReference())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        properties.close();
        relationship.close();
        neighbor.close();
        node.close();
    }

    @Override
    public boolean isMediator(long reference) {
        if (mediatorLabel == NO_TOKEN) {
            return false;
        }
        read.singleNode(reference, neighbor);
        return neighbor.next() && neighbor.hasLabel(mediatorLabel);
    }

    /**
     * @param types null for any
     * @param allowed the subset of these types to visit, or null: all of them
     * @return the number of relationships read
     */
    private long visit(
            long start,
            int[] types,
            Direction direction,
            StepFilter allowed,
            LongPredicate exempt,
            RelationshipVisitor visitor) {
        if (types != null && types.length == 0) {
            return 0;
        }
        node.relationships(relationship, selection(types, direction));
        long seen = 0;
        while (relationship.next()) {
            if (++seen % CHECK_EVERY == 0) {
                termination.check();
            }
            int type = relationship.type();
            long source = relationship.sourceNodeReference();
            long target = relationship.targetNodeReference();
            boolean out =
                    source == start
                            && direction != Direction.INCOMING
                            && (allowed == null || allowed.allows(type, OUT));
            boolean in =
                    target == start
                            && direction != Direction.OUTGOING
                            && (allowed == null || allowed.allows(type, IN));
            long other = source == start ? target : source;
            if (!out && !in || !relationships.allows(relationship, properties)) {
                continue;
            }
            if (!exempt.test(other) && !staysInside(type) && !mayVisit(other)) {
                continue;
            }
            if (out) {
                visitor.visit(type, OUT, target);
            }
            if (in) {
                visitor.visit(type, IN, source);
            }
        }
        return seen;
    }

    /** Whether the node is in the graph, whatever its other labels. */
    public boolean isInGraph(long reference) {
        if (graphLabels.isWholeStore()) {
            return true;
        }
        read.singleNode(reference, neighbor);
        return neighbor.next() && graphLabels.contain(neighbor);
    }

    @Override
    public boolean staysInside(int relation) {
        return labels.length == 0
                && (graphLabels.isWholeStore() || enclosed.contains(relation, read, graphLabels));
    }

    @Override
    public boolean mayVisit(long reference) {
        if (graphLabels.isWholeStore() && labels.length == 0) {
            return true;
        }
        read.singleNode(reference, neighbor);
        if (!neighbor.next() || !graphLabels.contain(neighbor)) {
            return false;
        }
        if (labels.length == 0 || mediatorLabel != NO_TOKEN && neighbor.hasLabel(mediatorLabel)) {
            return true;
        }
        return Arrays.stream(labels).anyMatch(neighbor::hasLabel);
    }

    /** The steps that the node has. The cursor stays at the node. */
    private StepFilter present(StepFilter steps) {
        List<RelationStep> present = new ArrayList<>();
        Degrees degrees = node.degrees(RelationshipSelection.ALL_RELATIONSHIPS);
        for (int type : degrees.types()) {
            if (degrees.outgoingDegree(type) > 0 && steps.allows(type, OUT)) {
                present.add(new RelationStep(type, OUT));
            }
            if (degrees.incomingDegree(type) > 0 && steps.allows(type, IN)) {
                present.add(new RelationStep(type, IN));
            }
        }
        return StepFilter.only(present);
    }

    /**
     * Whether to pass the steps to the store. It compares each relationship with each type, and a
     * node has few types of a long list.
     */
    private static boolean hasSelection(StepFilter steps) {
        return steps.nothingIsDenied() && size(steps.outgoing()) + size(steps.incoming()) <= WIDE;
    }

    private static int size(IntSet relations) {
        return relations == null ? 0 : relations.size();
    }

    /** The filter in the store's form. Consecutive calls mostly use the same one. */
    private Selected selected(StepFilter steps) {
        if (latest == null || latest.steps() != steps) {
            latest = new Selected(steps, types(steps.outgoing()), types(steps.incoming()));
        }
        return latest;
    }

    /**
     * @param outgoing types, ascending; null for any
     * @param incoming types, ascending; null for any
     */
    private record Selected(StepFilter steps, int[] outgoing, int[] incoming) {}

    /** The degree of the node at the cursor. */
    private long degree(StepFilter steps, int limit) {
        if (!hasSelection(steps)) {
            Degrees degrees = node.degrees(RelationshipSelection.ALL_RELATIONSHIPS);
            long sum = 0;
            for (int type : degrees.types()) {
                sum += steps.allows(type, OUT) ? degrees.outgoingDegree(type) : 0;
                sum += steps.allows(type, IN) ? degrees.incomingDegree(type) : 0;
            }
            return sum;
        }
        Selected counted = selected(steps);
        return degree(counted.outgoing(), Direction.OUTGOING, limit)
                + degree(counted.incoming(), Direction.INCOMING, limit);
    }

    private long degree(int[] types, Direction direction, int limit) {
        return types != null && types.length == 0
                ? 0
                : node.degreeWithMax(limit, selection(types, direction));
    }

    private static int[] types(IntSet relations) {
        return relations == null ? null : relations.toSortedArray();
    }

    private static RelationshipSelection selection(int[] types, Direction direction) {
        return types == null
                ? RelationshipSelection.selection(direction)
                : RelationshipSelection.selection(types, direction);
    }
}
