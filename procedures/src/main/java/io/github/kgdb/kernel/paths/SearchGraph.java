package io.github.kgdb.kernel.paths;

import io.github.kgdb.kernel.api.AdjacencyList;
import io.github.kgdb.kernel.api.Direction;
import io.github.kgdb.kernel.api.GraphReader;
import io.github.kgdb.kernel.api.GraphView;
import io.github.kgdb.kernel.api.MemoryBudget;
import io.github.kgdb.kernel.api.RelationStep;
import io.github.kgdb.kernel.api.StepFilter;
import io.github.kgdb.kernel.api.Termination;

import org.eclipse.collections.api.set.primitive.LongSet;
import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;
import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;
import org.eclipse.collections.impl.map.mutable.primitive.LongByteHashMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

import java.util.function.Consumer;

/**
 * The graph as the path searches of one start set share it. Each node is expanded at most once per
 * direction of search, and each relationship that was read takes 16 bytes.
 */
final class SearchGraph {
    /**
     * The arcs of one node; parallel relationships are separate arcs.
     *
     * @param steps codes of {@link RelationStep}
     * @param visitable whether all arcs lead to nodes that paths may visit
     */
    record Arcs(long[] nodes, int[] steps, boolean visitable) {
        int size() {
            return nodes.length;
        }
    }

    private static final byte YES = 1;
    private static final byte NO = 2;
    private static final int ARC_BYTES = 16;
    private static final int NODE_BYTES = 80;
    private static final int CACHED_BYTES = 20;

    private final GraphView view;
    private final StepFilter steps;
    private final StepFilter reversed;
    private final boolean mediators;
    private final long maxDegree;
    private final LongSet endsOnly;
    private final MemoryBudget.Account account;
    private final LongObjectHashMap<Arcs> onwards = new LongObjectHashMap<>();
    private final LongObjectHashMap<Arcs> backwards;
    private final ArcList reading = new ArcList();
    private final LongByteHashMap hubStates = new LongByteHashMap();
    private final LongByteHashMap mediatorStates = new LongByteHashMap();

    /**
     * @param mediators whether an edge at a mediator costs half of another edge
     * @param maxDegree no path passes through a node with more relationships
     * @param endsOnly start nodes without the labels of the filter; paths may begin and end there
     */
    SearchGraph(
            GraphView view,
            StepFilter steps,
            boolean mediators,
            long maxDegree,
            LongSet endsOnly,
            MemoryBudget.Account account) {
        this.view = view;
        this.steps = steps;
        this.reversed = steps.reversed();
        this.mediators = mediators;
        this.maxDegree = maxDegree;
        this.endsOnly = endsOnly;
        this.account = account;
        this.backwards = steps.isSymmetric() ? onwards : new LongObjectHashMap<>();
    }

    /** The cost of one hop: 2 if an edge may be half a hop, otherwise 1. */
    int hop() {
        return mediators ? 2 : 1;
    }

    int cost(long from, long to) {
        return mediators && !isMediator(from) && !isMediator(to) ? 2 : 1;
    }

    /** Whether a path may pass through the node. */
    boolean isPassable(long node) {
        return !endsOnly.contains(node) && !isHub(node);
    }

    /** Whether only its degree keeps paths from passing through the node. */
    boolean isBlockedHub(long node) {
        return !endsOnly.contains(node) && isHub(node);
    }

    boolean hasHubs() {
        return maxDegree != Long.MAX_VALUE;
    }

    boolean isSymmetric() {
        return steps.isSymmetric();
    }

    /** Whether a path may visit the node, even if only to end there. */
    boolean mayReach(long node) {
        return endsOnly.contains(node) || view.graph().mayVisit(node);
    }

    /**
     * The outgoing arcs of the node in the direction of search, also those to nodes that no path
     * may visit. If {@code back}, its incoming arcs, seen from the node.
     */
    Arcs arcs(long node, boolean back) {
        Arcs arcs = arcsByNode(back).get(node);
        if (arcs == null) {
            arcs = read(node, allowed(back));
            arcsByNode(back).put(node, arcs);
        }
        return arcs;
    }

    /**
     * The number of relationships that expanding the node has to read; stops counting at {@code
     * limit}.
     */
    long readCost(long node, boolean back, long limit) {
        Arcs cached = arcsByNode(back).get(node);
        if (cached != null) {
            return cached.size();
        }
        reading.begin();
        if (view.graph().expandIfSparse(node, allowed(back), GraphReader.ALL, reading)) {
            Arcs arcs = reading.arcs(false);
            arcsByNode(back).put(node, arcs);
            return arcs.size();
        }
        return view.graph().degreeUpTo(node, allowed(back), limit);
    }

    /**
     * The distinct neighbors in the direction of search, ascending, if a cache holds them in that
     * order; otherwise null.
     */
    long[] neighbors(long node, boolean back) {
        StepFilter allowed = allowed(back);
        boolean all = allowed.allowsAll(Direction.OUT) && allowed.allowsAll(Direction.IN);
        AdjacencyList list = all ? view.graph().cachedAdjacency(node) : null;
        return list == null ? null : list.neighbors();
    }

    /** Whether reading the arcs of the node costs no more than counting them. */
    boolean isSparse(long node) {
        return view.graph().isSparse(node);
    }

    /** The node's cached adjacency list, or null; see {@link #visit}. */
    AdjacencyList cachedAdjacency(long node) {
        return view.graph().cachedAdjacency(node);
    }

    /**
     * Visits the outgoing arcs of the node (incoming if {@code back}) to some others.
     *
     * @param others ascending
     */
    void visit(AdjacencyList list, boolean back, long[] others, ArcVisitor visitor) {
        list.visit(
                allowed(back),
                others,
                (relation, direction, other) ->
                        visitor.visit(RelationStep.code(relation, direction), other));
    }

    /** Reports that many reads that a cached adjacency list of the node would have saved. */
    void recordCacheMiss(long node, long reads) {
        view.graph().recordCacheMiss(node, reads);
    }

    /** Receives the code of an arc's step, and its other end. */
    @FunctionalInterface
    interface ArcVisitor {
        void visit(int step, long other);
    }

    /** Visits the node's arcs of some relations, and keeps none of them. */
    void read(long node, StepFilter some, ArcVisitor visitor) {
        termination().check();
        view.graph()
                .expand(
                        node,
                        some,
                        GraphReader.ALL,
                        (relation, direction, other) ->
                                visitor.visit(RelationStep.code(relation, direction), other));
    }

    /** The steps by which the node can be left (entered if {@code back}). */
    void availableSteps(long node, boolean back, Consumer<RelationStep> visitor) {
        StepFilter allowed = allowed(back);
        view.graph()
                .degreesByType(
                        node,
                        (relation, outgoing, incoming) -> {
                            if (outgoing > 0 && allowed.allows(relation, Direction.OUT)) {
                                visitor.accept(new RelationStep(relation, Direction.OUT));
                            }
                            if (incoming > 0 && allowed.allows(relation, Direction.IN)) {
                                visitor.accept(new RelationStep(relation, Direction.IN));
                            }
                        });
    }

    /** The number of relationships that {@link #read} has to read. */
    long degree(long node, StepFilter some) {
        return view.graph().degree(node, some);
    }

    MemoryBudget.Account account() {
        return account;
    }

    Termination termination() {
        return view.termination();
    }

    private Arcs read(long node, StepFilter allowed) {
        reading.begin();
        AdjacencyList list = view.graph().cachedAdjacency(node);
        if (list == null) {
            view.graph().expand(node, allowed, GraphReader.ALL, reading);
        } else {
            list.visit(allowed, reading);
        }
        return reading.arcs(list != null);
    }

    private LongObjectHashMap<Arcs> arcsByNode(boolean back) {
        return back ? backwards : onwards;
    }

    /**
     * Collects the arcs of one node after another in lists that are reused, because growing new
     * lists takes longer.
     */
    private final class ArcList implements GraphReader.RelationshipVisitor {
        /** The capacity that is kept between nodes; a search mostly reads small nodes. */
        private static final int ROOM = 1024;

        private LongArrayList nodes = new LongArrayList();
        private IntArrayList coded = new IntArrayList();

        void begin() {
            if (nodes.size() > ROOM) {
                nodes = new LongArrayList();
                coded = new IntArrayList();
            }
            nodes.clear();
            coded.clear();
        }

        @Override
        public void visit(int relation, Direction direction, long other) {
            if (nodes.size() % 64 == 0) {
                account.allocate(64 * ARC_BYTES);
            }
            nodes.add(other);
            coded.add(RelationStep.code(relation, direction));
        }

        /**
         * @param visitable whether all arcs are known to lead to nodes that paths may visit
         */
        Arcs arcs(boolean visitable) {
            account.allocate(NODE_BYTES);
            int[] codes = coded.toArray();
            return new Arcs(nodes.toArray(), codes, visitable || stayInside(codes));
        }

        private boolean stayInside(int[] codes) {
            for (int code : codes) {
                if (!view.graph().staysInside(RelationStep.relation(code))) {
                    return false;
                }
            }
            return true;
        }
    }

    private StepFilter allowed(boolean back) {
        return back ? reversed : steps;
    }

    private boolean isHub(long node) {
        if (!hasHubs()) {
            return false;
        }
        byte cached = hubStates.getIfAbsent(node, (byte) 0);
        if (cached == 0) {
            cached = view.graph().degree(node, steps) > maxDegree ? YES : NO;
            account.allocate(CACHED_BYTES);
            hubStates.put(node, cached);
        }
        return cached == YES;
    }

    private boolean isMediator(long node) {
        byte cached = mediatorStates.getIfAbsent(node, (byte) 0);
        if (cached == 0) {
            cached = view.graph().isMediator(node) ? YES : NO;
            account.allocate(CACHED_BYTES);
            mediatorStates.put(node, cached);
        }
        return cached == YES;
    }
}
