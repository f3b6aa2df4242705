package io.github.kgdb.kernel.paths;

import io.github.kgdb.kernel.api.AdjacencyList;
import io.github.kgdb.kernel.api.RelationStep;

import org.eclipse.collections.api.set.primitive.LongSet;
import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

import java.util.List;

/**
 * The simple paths of three hops between two nodes whose frontiers have radius 1, ordered by their
 * nodes and relations. If the source has fewer neighbors than the target, the search joins one of
 * them after another to the target's neighbors: usually the first few fill the quota. Otherwise it
 * joins all of the target's neighbors to the source's before it returns the first path.
 */
final class ThreeHopSearch {
    private static final int HOPS = 3;
    private static final int CACHED_BYTES = 120;
    private static final long UNLIMITED = Long.MAX_VALUE;

    private final SearchGraph graph;
    private final DistanceFrontier source;
    private final DistanceFrontier target;
    private final AdjacencyList sourceList;
    private final AdjacencyList targetList;
    private final boolean inTurn;
    private final PathArcs.Names names;
    private final PathArcs first;
    private final PathArcs middle;
    private final PathArcs last;
    private final LongObjectHashMap<PathArcs.Bundle> toTargetCache = new LongObjectHashMap<>();
    private final PathBuffer path;
    private final int before;
    private long readsLeft;
    private long[] unfinished;

    /** The frontiers must satisfy {@link #suits}. */
    ThreeHopSearch(
            SearchGraph graph,
            DistanceFrontier source,
            DistanceFrontier target,
            PathArcs.Names names) {
        this(graph, source, target, names, new PathBuffer(source.start(), HOPS), 0, UNLIMITED);
    }

    /**
     * Extends a path to the source by three hops; both frontiers have the radius 1.
     *
     * @param before the number of hops of the path
     * @param maxReads stops before it reads more relationships than that
     */
    ThreeHopSearch(
            SearchGraph graph,
            DistanceFrontier source,
            DistanceFrontier target,
            PathArcs.Names names,
            PathBuffer path,
            int before,
            long maxReads) {
        this.path = path;
        this.before = before;
        this.readsLeft = maxReads;
        this.graph = graph;
        this.source = source;
        this.target = target;
        this.sourceList = graph.cachedAdjacency(source.start());
        this.targetList = graph.cachedAdjacency(target.start());
        this.inTurn = isNarrower(source, target);
        this.names = names;
        this.first = new PathArcs(names, graph.account());
        this.middle = new PathArcs(names, graph.account());
        this.last = new PathArcs(names, graph.account());
    }

    /**
     * Whether this search suits paths of that cost: joining a neighbor of the narrower side to the
     * other side must be cheap.
     */
    static boolean suits(
            SearchGraph graph, DistanceFrontier source, DistanceFrontier target, int cost) {
        return cost == HOPS
                && graph.hop() == 1
                && source.reached() == 1
                && target.reached() == 1
                && (isNarrower(source, target) ? source : target)
                        .level(1)
                        .allSatisfy(node -> isLight(graph, node));
    }

    private static boolean isNarrower(DistanceFrontier source, DistanceFrontier target) {
        return source.width() <= target.width();
    }

    private static boolean isLight(SearchGraph graph, long node) {
        return graph.cachedAdjacency(node) != null
                || graph.isSparse(node)
                || !graph.isPassable(node);
    }

    /** How many of the reads are left. */
    long readsLeft() {
        return readsLeft;
    }

    /** The beginning of the first paths that would take too many reads; null if none would. */
    long[] unfinished() {
        return unfinished;
    }

    /** Visits every path; returns false if the visitor stopped. */
    boolean visit(PathBuffer.Visitor visitor) {
        if (inTurn) {
            addFirst();
        } else {
            if (!target.level(1).allSatisfy(far -> mayJoin(target, far, source))) {
                unfinished = path.prefix(before);
                return true;
            }
            target.level(1).forEach(this::addMiddleTo);
            addFirstToMiddle();
        }
        if (targetList == null) {
            addLast();
        }
        PathArcs.Bundles near = first.bundles(source.start(), HOPS, to -> true);
        for (int index = 0; ; index++) {
            PathArcs.Bundle toNear = near.at(index);
            if (toNear == null) {
                return true;
            }
            path.extend(before, toNear);
            if (inTurn) {
                if (!mayJoin(source, toNear.to(), target)) {
                    unfinished = path.prefix(before + 1);
                    return true;
                }
                addMiddleFrom(toNear.to());
            }
            if (!visitBehind(toNear.to(), visitor)) {
                return false;
            }
        }
    }

    private boolean visitBehind(long near, PathBuffer.Visitor visitor) {
        PathArcs.Bundles far = middle.bundles(near, 2, to -> true);
        for (int index = 0; ; index++) {
            PathArcs.Bundle toFar = far.at(index);
            if (toFar == null) {
                return true;
            }
            path.extend(before + 1, toFar);
            path.extend(before + 2, toTarget(toFar.to()));
            if (!path.visit(before + HOPS, visitor)) {
                return false;
            }
        }
    }

    private void addFirst() {
        SearchGraph.Arcs arcs = graph.arcs(source.start(), source.back());
        for (int arc = 0; arc < arcs.size(); arc++) {
            long near = arcs.nodes()[arc];
            if (source.cost(near) == 1 && isNear(near)) {
                first.add(source.start(), near, arcs.steps()[arc]);
            }
        }
    }

    /** Adds the arcs from the source to the neighbors that lead on. */
    private void addFirstToMiddle() {
        LongSet leadOn = middle.froms();
        if (sourceList == null) {
            SearchGraph.Arcs arcs = graph.arcs(source.start(), source.back());
            for (int arc = 0; arc < arcs.size(); arc++) {
                if (leadOn.contains(arcs.nodes()[arc])) {
                    first.add(source.start(), arcs.nodes()[arc], arcs.steps()[arc]);
                }
            }
        } else {
            graph.visit(
                    sourceList,
                    source.back(),
                    leadOn.toSortedArray(),
                    (step, near) -> first.add(source.start(), near, step));
        }
    }

    /** Adds the arcs from a neighbor of the source to neighbors of the target. */
    private void addMiddleFrom(long near) {
        join(source, near, target, (step, far) -> addMiddle(near, step, far));
    }

    /** Adds the arcs from neighbors of the source to a neighbor of the target. */
    private void addMiddleTo(long far) {
        if (isFar(far)) {
            join(
                    target,
                    far,
                    source,
                    (step, near) -> addMiddle(near, RelationStep.reversed(step), far));
        }
    }

    private void addMiddle(long near, int step, long far) {
        if (near != far && isNear(near) && isFar(far)) {
            middle.add(near, far, step);
        }
    }

    /** Whether enough reads are left to {@link #join} the node; they are taken if so. */
    private boolean mayJoin(DistanceFrontier frontier, long node, DistanceFrontier other) {
        if (readsLeft == UNLIMITED) {
            return true;
        }
        AdjacencyList list = graph.cachedAdjacency(node);
        long reads =
                list == null
                        ? graph.readCost(node, frontier.back(), readsLeft + 1)
                        : list.readCost(other.width());
        if (reads > readsLeft) {
            return false;
        }
        readsLeft -= reads;
        return true;
    }

    /** Visits the arcs between a neighbor of one start and the neighbors of the other. */
    private void join(
            DistanceFrontier frontier,
            long node,
            DistanceFrontier other,
            SearchGraph.ArcVisitor visitor) {
        graph.termination().check();
        AdjacencyList list = graph.cachedAdjacency(node);
        if (list != null) {
            graph.visit(list, frontier.back(), other.outermost(), visitor);
            return;
        }
        SearchGraph.Arcs arcs = graph.arcs(node, frontier.back());
        for (int arc = 0; arc < arcs.size(); arc++) {
            if (other.cost(arcs.nodes()[arc]) == 1) {
                visitor.visit(arcs.steps()[arc], arcs.nodes()[arc]);
            }
        }
    }

    /** Whether the node, a neighbor of the source, may be the second node of a path. */
    private boolean isNear(long node) {
        return node != target.start() && mayPass(node);
    }

    /** Whether the node, a neighbor of the target, may be the third node of a path. */
    private boolean isFar(long node) {
        return node != source.start() && mayPass(node);
    }

    private boolean mayPass(long node) {
        return graph.isPassable(node) && !path.contains(node, before);
    }

    /** All arcs from a neighbor of the target to it. */
    private PathArcs.Bundle toTarget(long far) {
        PathArcs.Bundle bundle = toTargetCache.get(far);
        if (bundle == null) {
            bundle = targetList == null ? sorted(far) : copied(far);
            graph.account().allocate(CACHED_BYTES);
            toTargetCache.put(far, bundle);
        }
        return bundle;
    }

    private PathArcs.Bundle copied(long far) {
        IntArrayList steps = new IntArrayList(1);
        graph.visit(
                targetList,
                target.back(),
                new long[] {far},
                (step, unused) -> steps.add(RelationStep.reversed(step)));
        if (steps.size() == 1) {
            PathArcs.Parallel only = new PathArcs.Parallel(names.spec(steps.get(0)), 1);
            return new PathArcs.Bundle(target.start(), List.of(only));
        }
        steps.forEach(step -> last.add(far, target.start(), step));
        return sorted(far);
    }

    private PathArcs.Bundle sorted(long far) {
        return last.bundles(far, 1, to -> true).at(0);
    }

    private void addLast() {
        SearchGraph.Arcs arcs = graph.arcs(target.start(), target.back());
        for (int arc = 0; arc < arcs.size(); arc++) {
            last.add(arcs.nodes()[arc], target.start(), RelationStep.reversed(arcs.steps()[arc]));
        }
    }
}
