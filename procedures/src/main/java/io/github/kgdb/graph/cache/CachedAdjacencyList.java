package io.github.kgdb.graph.cache;

import io.github.kgdb.kernel.api.AdjacencyList;
import io.github.kgdb.kernel.api.Direction;
import io.github.kgdb.kernel.api.GraphReader;
import io.github.kgdb.kernel.api.RelationStep;
import io.github.kgdb.kernel.api.StepFilter;

import org.eclipse.collections.api.set.primitive.IntSet;
import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

/**
 * A copy of the relationships of one node. Reading them from the store is many times slower.
 *
 * @param distinct the distinct neighbors of both directions, computed when first used
 */
record CachedAdjacencyList(
        long node, DirectedArcs outgoing, DirectedArcs incoming, AtomicReference<long[]> distinct)
        implements AdjacencyList {
    private static final StepFilter ANY = StepFilter.any(Direction.BOTH);

    /**
     * The relationships of one direction, grouped by relation.
     *
     * @param relations numbers, ascending
     * @param degrees the number of relationships of each relation, whatever their other ends
     * @param ends where the neighbors of each relation end
     * @param neighbors the neighbors in the graph
     * @param ordered the same arcs sorted by neighbor, computed when first used
     */
    record DirectedArcs(
            int[] relations,
            int[] degrees,
            int[] ends,
            long[] neighbors,
            AtomicReference<ArcsByNeighbor> ordered) {
        /** Computed lazily: most hubs are only ever read as a whole. */
        ArcsByNeighbor order() {
            ArcsByNeighbor order = ordered.getAcquire();
            if (order == null) {
                order = ArcsByNeighbor.of(this);
                ordered.setRelease(order);
            }
            return order;
        }

        void visit(StepFilter steps, Direction direction, RunVisitor visitor) {
            IntSet allowed = direction == Direction.OUT ? steps.outgoing() : steps.incoming();
            if (allowed != null && allowed.size() < relations.length / 4) {
                allowed.forEach(relation -> visit(relation, steps, direction, visitor));
                return;
            }
            for (int index = 0; index < relations.length; index++) {
                if (steps.allows(relations[index], direction)) {
                    visitor.visit(index, begin(index), ends[index]);
                }
            }
        }

        private void visit(
                int relation, StepFilter steps, Direction direction, RunVisitor visitor) {
            int index = Arrays.binarySearch(relations, relation);
            if (index >= 0 && steps.allows(relation, direction)) {
                visitor.visit(index, begin(index), ends[index]);
            }
        }

        long degree(StepFilter steps, Direction direction) {
            long[] sum = {0};
            visit(steps, direction, (index, from, to) -> sum[0] += degrees[index]);
            return sum[0];
        }

        boolean hasNeighbors(int relation) {
            int index = Arrays.binarySearch(relations, relation);
            return index >= 0 && begin(index) < ends[index];
        }

        /** The relation at that index, or the largest number after the last. */
        private int relation(int index) {
            return index < relations.length ? relations[index] : Integer.MAX_VALUE;
        }

        int begin(int index) {
            return index == 0 ? 0 : ends[index - 1];
        }
    }

    @FunctionalInterface
    private interface RunVisitor {
        void visit(int index, int from, int to);
    }

    /**
     * @param inGraph which neighbors are in the graph
     */
    static CachedAdjacencyList read(GraphReader store, long node, LongPredicate inGraph) {
        Map<Integer, LongArrayList> outgoing = new TreeMap<>();
        Map<Integer, LongArrayList> incoming = new TreeMap<>();
        store.expand(
                node,
                ANY,
                GraphReader.ALL,
                (relation, direction, other) ->
                        (direction == Direction.OUT ? outgoing : incoming)
                                .computeIfAbsent(relation, unseen -> new LongArrayList())
                                .add(other));
        return new CachedAdjacencyList(
                node, half(outgoing, inGraph), half(incoming, inGraph), new AtomicReference<>());
    }

    private static DirectedArcs half(Map<Integer, LongArrayList> read, LongPredicate inGraph) {
        LongArrayList neighbors = new LongArrayList();
        int[] degrees = new int[read.size()];
        int[] ends = new int[read.size()];
        int index = 0;
        for (LongArrayList others : read.values()) {
            degrees[index] = others.size();
            others.forEach(
                    other -> {
                        if (inGraph.test(other)) {
                            neighbors.add(other);
                        }
                    });
            ends[index++] = neighbors.size();
        }
        int[] relations = read.keySet().stream().mapToInt(Integer::intValue).toArray();
        return new DirectedArcs(
                relations, degrees, ends, neighbors.toArray(), new AtomicReference<>());
    }

    void visit(StepFilter steps, LongPredicate wanted, GraphReader.RelationshipVisitor visitor) {
        visit(outgoing, Direction.OUT, steps, wanted, visitor);
        visit(incoming, Direction.IN, steps, wanted, visitor);
    }

    private static void visit(
            DirectedArcs half,
            Direction direction,
            StepFilter steps,
            LongPredicate wanted,
            GraphReader.RelationshipVisitor visitor) {
        half.visit(
                steps,
                direction,
                (index, from, to) -> {
                    int relation = half.relations()[index];
                    for (int arc = from; arc < to; arc++) {
                        long neighbor = half.neighbors()[arc];
                        if (wanted.test(neighbor)) {
                            visitor.visit(relation, direction, neighbor);
                        }
                    }
                });
    }

    @Override
    public void visit(StepFilter steps, GraphReader.RelationshipVisitor visitor) {
        if (steps.isSelection()) {
            visit(steps, GraphReader.ALL, visitor);
            return;
        }
        if (steps.allowsAny(Direction.OUT)) {
            outgoing.order().visit(steps, Direction.OUT, visitor);
        }
        if (steps.allowsAny(Direction.IN)) {
            incoming.order().visit(steps, Direction.IN, visitor);
        }
    }

    @Override
    public void visit(StepFilter steps, long[] others, GraphReader.RelationshipVisitor visitor) {
        if (steps.allowsAny(Direction.OUT)) {
            outgoing.order().join(steps, Direction.OUT, others, visitor);
        }
        if (steps.allowsAny(Direction.IN)) {
            incoming.order().join(steps, Direction.IN, others, visitor);
        }
    }

    @Override
    public long[] neighbors() {
        long[] neighbors = distinct.getAcquire();
        if (neighbors == null) {
            neighbors =
                    LongStream.concat(
                                    Arrays.stream(outgoing.neighbors()),
                                    Arrays.stream(incoming.neighbors()))
                            .sorted()
                            .distinct()
                            .toArray();
            distinct.setRelease(neighbors);
        }
        return neighbors;
    }

    /** A binary search takes about as long as reading one relationship from the store. */
    @Override
    public long readCost(int others) {
        return Math.min(size(), others) + 1;
    }

    long degree(StepFilter steps) {
        return outgoing.degree(steps, Direction.OUT) + incoming.degree(steps, Direction.IN);
    }

    void degreesByType(GraphReader.DegreeVisitor visitor) {
        int out = 0;
        int in = 0;
        while (out < outgoing.relations().length || in < incoming.relations().length) {
            int relation = Math.min(outgoing.relation(out), incoming.relation(in));
            boolean leaves = outgoing.relation(out) == relation;
            boolean enters = incoming.relation(in) == relation;
            visitor.visit(
                    relation,
                    leaves ? outgoing.degrees()[out] : 0,
                    enters ? incoming.degrees()[in] : 0);
            out += leaves ? 1 : 0;
            in += enters ? 1 : 0;
        }
    }

    /** Whether a relationship by that step leads to a node of the graph. */
    boolean leadsInside(RelationStep step) {
        return (step.direction() == Direction.OUT ? outgoing : incoming)
                .hasNeighbors(step.relation());
    }

    /** The number of cached relationships. */
    int size() {
        return outgoing.neighbors().length + incoming.neighbors().length;
    }
}
