package io.github.kgdb.kernel;

import org.eclipse.collections.impl.map.mutable.primitive.LongIntHashMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

import java.util.ArrayList;
import java.util.List;

/**
 * The simple paths between two nodes, found where a ball around the one and a ball around the other
 * overlap. Only arcs that lie on some walk of at most the budget are ever gone over.
 */
final class PairSearch {
    /** Sees each path; the lists are reused. */
    @FunctionalInterface
    interface Visitor {
        /**
         * @param nodes from source to target
         * @param count how many paths have these nodes and steps: parallel relationships
         * @return whether to go on
         */
        boolean visit(long[] nodes, RelationStep[] steps, int length, long count);
    }

    /** One or more parallel relationships from one node to the next. */
    private static final class Arc {
        final long to;
        final RelationStep step;
        final int cost;
        long count;

        Arc(long to, RelationStep step, int cost) {
            this.to = to;
            this.step = step;
            this.cost = cost;
        }
    }

    private static final int ARC_BYTES = 80;

    private final Terrain terrain;
    private final Ball source;
    private final Ball target;
    private final int budget;
    private final LongObjectHashMap<List<Arc>> arcs = new LongObjectHashMap<>();
    private final LongIntHashMap costsToTarget = new LongIntHashMap();
    private final long[] nodes;
    private final RelationStep[] steps;

    /**
     * The balls must cover every path: together reach to one less than {@code budget}, and be
     * expanded by as much, or by one more where an edge may be half a hop.
     */
    PairSearch(Terrain terrain, Ball source, Ball target, int budget) {
        this.terrain = terrain;
        this.source = source;
        this.target = target;
        this.budget = budget;
        this.nodes = new long[budget + 1];
        this.steps = new RelationStep[budget];
        addArcsFromSource();
        addArcsIntoTarget();
        if (source.expanded() + target.expanded() < budget) {
            Middle.visit(
                    terrain,
                    source,
                    target,
                    this::isInside,
                    (from, step, to) -> add(from, to, step, 1));
        }
        findCostsToTarget();
    }

    /** The least cost of a path, or {@link Ball#OUTSIDE} where there is none within the budget. */
    int leastCost() {
        return costToTarget(source.start());
    }

    /** Visits every simple path of exactly that cost; returns false where the visitor ended it. */
    boolean visit(int cost, Visitor visitor) {
        nodes[0] = source.start();
        return visit(source.start(), 0, cost, 1, visitor);
    }

    private boolean visit(long node, int length, int left, long count, Visitor visitor) {
        terrain.termination().check();
        for (Arc arc : arcs.getIfAbsent(node, List::of)) {
            if (arc.cost > left || contains(arc.to, length)) {
                continue;
            }
            int rest = left - arc.cost;
            boolean arrives = arc.to == target.start();
            if (arrives ? rest != 0 : costToTarget(arc.to) > rest) {
                continue;
            }
            nodes[length + 1] = arc.to;
            steps[length] = arc.step;
            long paths = Counts.times(count, arc.count);
            boolean goesOn =
                    arrives
                            ? visitor.visit(nodes, steps, length + 1, paths)
                            : visit(arc.to, length + 1, rest, paths, visitor);
            if (!goesOn) {
                return false;
            }
        }
        return true;
    }

    private boolean contains(long node, int length) {
        for (int i = 0; i <= length; i++) {
            if (nodes[i] == node) {
                return true;
            }
        }
        return false;
    }

    private void addArcsFromSource() {
        for (int cost = 0; cost < source.expanded(); cost++) {
            int spent = cost;
            source.level(cost)
                    .forEach(
                            from -> {
                                if (isInside(from) && from != target.start()) {
                                    addArcsFrom(from, spent);
                                }
                            });
        }
    }

    private void addArcsFrom(long from, int spent) {
        Terrain.Arcs found = terrain.arcs(from, source.back());
        for (int arc = 0; arc < found.size(); arc++) {
            long to = found.nodes()[arc];
            // Not told apart by arithmetic alone: OUTSIDE would overflow.
            int rest = target.cost(to) == Ball.OUTSIDE ? target.reached() + 1 : target.cost(to);
            boolean known = target.cost(to) != Ball.OUTSIDE || source.cost(to) != Ball.OUTSIDE;
            if (known && to != source.start() && spent + 1 + rest <= budget && isInside(to)) {
                int cost = terrain.cost(from, to);
                if (spent + cost + rest <= budget) {
                    add(from, to, found.step(arc), cost);
                }
            }
        }
    }

    private void addArcsIntoTarget() {
        for (int cost = 0; cost < target.expanded(); cost++) {
            int spent = cost;
            target.level(cost)
                    .forEach(
                            to -> {
                                if (isInside(to) && to != source.start()) {
                                    addArcsInto(to, spent);
                                }
                            });
        }
    }

    private void addArcsInto(long to, int spent) {
        Terrain.Arcs found = terrain.arcs(to, target.back());
        for (int arc = 0; arc < found.size(); arc++) {
            long from = found.nodes()[arc];
            int before = source.cost(from);
            boolean readFromSource = before < source.expanded();
            int rest = before == Ball.OUTSIDE ? source.reached() + 1 : before;
            boolean known = before != Ball.OUTSIDE || target.cost(from) != Ball.OUTSIDE;
            if (known
                    && !readFromSource
                    && from != target.start()
                    && spent + 1 + rest <= budget
                    && isInside(from)) {
                int cost = terrain.cost(from, to);
                if (spent + cost + rest <= budget) {
                    add(from, to, found.step(arc).reversed(), cost);
                }
            }
        }
    }

    /** Whether a path may go through the node, or end there. */
    private boolean isInside(long node) {
        return node == source.start() || node == target.start() || terrain.isPassable(node);
    }

    private void add(long from, long to, RelationStep step, int cost) {
        List<Arc> leaving = arcs.getIfAbsentPut(from, ArrayList::new);
        for (Arc arc : leaving) {
            if (arc.to == to && arc.step.equals(step)) {
                arc.count++;
                return;
            }
        }
        terrain.account().allocate(ARC_BYTES);
        Arc arc = new Arc(to, step, cost);
        arc.count = 1;
        leaving.add(arc);
    }

    /** Goes over all arcs until no cost falls any more: at most once for each cost there is. */
    private void findCostsToTarget() {
        costsToTarget.put(target.start(), 0);
        boolean[] changed = {true};
        while (changed[0]) {
            changed[0] = false;
            terrain.termination().check();
            arcs.forEachKeyValue(
                    (from, leaving) -> {
                        int least = costToTarget(from);
                        for (Arc arc : leaving) {
                            int behind = costToTarget(arc.to);
                            if (behind != Ball.OUTSIDE && behind + arc.cost < least) {
                                least = behind + arc.cost;
                                changed[0] = true;
                            }
                        }
                        if (least != Ball.OUTSIDE) {
                            costsToTarget.put(from, least);
                        }
                    });
        }
    }

    private int costToTarget(long node) {
        return costsToTarget.getIfAbsent(node, Ball.OUTSIDE);
    }
}
