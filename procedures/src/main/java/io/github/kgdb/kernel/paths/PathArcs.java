package io.github.kgdb.kernel.paths;

import io.github.kgdb.kernel.api.CodePoints;
import io.github.kgdb.kernel.api.MemoryBudget;

import org.eclipse.collections.api.set.primitive.LongSet;
import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;
import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;
import org.eclipse.collections.impl.map.mutable.primitive.LongIntHashMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.LongPredicate;

/**
 * The arcs that paths may follow, by the node that they leave, in the order in which paths are
 * returned. A search reads only the first of thousands of arcs, so sorting is lazy.
 */
final class PathArcs {
    /** All arcs from one node to another. */
    record Bundle(long to, List<Parallel> parallels) {}

    /** Parallel relationships of one relation and direction. */
    record Parallel(String spec, long count) {}

    /** What arcs are ordered by, and what their relations are called. */
    interface Names {
        /** The node's id, or a text that all nodes share if their order does not matter. */
        String sortKey(long node);

        /**
         * @param step its code
         */
        String spec(int step);

        default int compare(long left, long right) {
            return compareNodes(sortKey(left), left, sortKey(right), right);
        }
    }

    private static final int NONE = -1;
    private static final int ARC_BYTES = 40;
    private static final int NAMED_BYTES = 48;

    private final Names names;
    private final MemoryBudget.Account account;
    private final LongIntHashMap latest = new LongIntHashMap();
    private final LongArrayList targets = new LongArrayList();
    private final IntArrayList steps = new IntArrayList();
    private final IntArrayList before = new IntArrayList();
    private final List<LongObjectHashMap<Bundles>> bundlesByBudget = new ArrayList<>();

    PathArcs(Names names, MemoryBudget.Account account) {
        this.names = names;
        this.account = account;
    }

    void add(long from, long to, int step) {
        account.allocate(ARC_BYTES);
        before.add(latest.getIfAbsent(from, NONE));
        latest.put(from, targets.size());
        targets.add(to);
        steps.add(step);
    }

    /** Whether an arc from the node has been added. */
    boolean hasFrom(long node) {
        return latest.containsKey(node);
    }

    boolean isEmpty() {
        return targets.isEmpty();
    }

    /** Receives the node that an arc leads to. */
    @FunctionalInterface
    interface TargetVisitor {
        /** Returns whether to continue. */
        boolean visit(long to);
    }

    /** The nodes that arcs have been added from. */
    LongSet froms() {
        return latest.keySet();
    }

    void forEachTarget(long from, TargetVisitor visitor) {
        for (int arc = latest.getIfAbsent(from, NONE); arc != NONE; arc = before.get(arc)) {
            if (!visitor.visit(targets.get(arc))) {
                return;
            }
        }
    }

    /**
     * The bundles from a node that a path with this much left to spend may follow. All arcs must
     * have been added.
     *
     * @param wanted which nodes to lead to, the same at each call with this node and budget
     */
    Bundles bundles(long from, int left, LongPredicate wanted) {
        while (bundlesByBudget.size() <= left) {
            bundlesByBudget.add(new LongObjectHashMap<>());
        }
        LongObjectHashMap<Bundles> cached = bundlesByBudget.get(left);
        Bundles bundles = cached.get(from);
        if (bundles == null) {
            bundles = new Bundles(named(from, wanted));
            cached.put(from, bundles);
        }
        return bundles;
    }

    private List<Named> named(long from, LongPredicate wanted) {
        List<Named> named = new ArrayList<>();
        for (int arc = latest.getIfAbsent(from, NONE); arc != NONE; arc = before.get(arc)) {
            long to = targets.get(arc);
            if (wanted.test(to)) {
                account.allocate(NAMED_BYTES);
                named.add(new Named(names.sortKey(to), to, steps.get(arc)));
            }
        }
        return named;
    }

    private static int compareNodes(String leftKey, long left, String rightKey, long right) {
        int byKey = CodePoints.ORDER.compare(leftKey, rightKey);
        return byKey != 0 ? byKey : Long.compare(left, right);
    }

    /** An arc ordered by the node that it leads to, then by its relation. */
    private final class Named implements Comparable<Named> {
        private final String key;
        private final long to;
        private final int step;

        Named(String key, long to, int step) {
            this.key = key;
            this.to = to;
            this.step = step;
        }

        /** Looked up lazily: only for returned arcs, and where two arcs lead to one node. */
        String spec() {
            return names.spec(step);
        }

        @Override
        public int compareTo(Named other) {
            int byNode = compareNodes(key, to, other.key, other.to);
            return byNode != 0 || step == other.step
                    ? byNode
                    : CodePoints.ORDER.compare(spec(), other.spec());
        }
    }

    /** Bundles in the order of the nodes that they lead to, sorted only as far as they are read. */
    static final class Bundles {
        private final List<Bundle> sorted = new ArrayList<>();
        private final PriorityQueue<Named> rest;

        private Bundles(List<Named> arcs) {
            // Building a heap from all arcs at once does not sort them yet.
            rest = new PriorityQueue<>(arcs);
        }

        /** The bundle at that index, or null after the last. */
        Bundle at(int index) {
            while (sorted.size() <= index && !rest.isEmpty()) {
                sorted.add(next());
            }
            return index < sorted.size() ? sorted.get(index) : null;
        }

        private Bundle next() {
            long to = rest.element().to;
            List<Parallel> parallels = new ArrayList<>(1);
            while (!rest.isEmpty() && rest.element().to == to) {
                Named first = rest.element();
                long count = 0;
                while (!rest.isEmpty()
                        && rest.element().to == to
                        && rest.element().step == first.step) {
                    rest.remove();
                    count++;
                }
                parallels.add(new Parallel(first.spec(), count));
            }
            return new Bundle(to, parallels);
        }
    }
}
