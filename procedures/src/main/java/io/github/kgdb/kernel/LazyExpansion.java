package io.github.kgdb.kernel;

import org.eclipse.collections.impl.map.mutable.primitive.LongLongHashMap;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The ways on from all trails of a beam, one hop further. All that one relation leads to from one
 * trail has the same score, so the best ways are gone first, and the rest is never read where none
 * of it could be kept.
 */
final class LazyExpansion {
    private static final long ARC_BYTES = 40;
    private static final long BRANCH_BYTES = 80;

    /**
     * @param bound no trail that goes this way scores more
     * @param neighbours with how many relationships lead to each, or null where they are not read
     */
    private record Branch(
            ScoredPath trail, RelationStep step, double bound, LongLongHashMap neighbours) {}

    private final GraphView view;
    private final Expansion expansion;
    private final Hop hop;
    private final MemoryBudget.Account scratch;
    private final TerminationTicker turns;
    private final List<Branch> branches = new ArrayList<>();

    LazyExpansion(GraphView view, Expansion expansion, Hop hop, MemoryBudget.Account scratch) {
        this.view = view;
        this.expansion = expansion;
        this.hop = hop;
        this.scratch = scratch;
        this.turns = new TerminationTicker(view.termination());
    }

    /** Adds the ways on from the trail's end, unless that is a hub. */
    void addFrom(ScoredPath trail) {
        view.termination().check();
        long node = trail.node();
        Reached read = new Reached();
        if (view.graph().expandUncounted(node, hop.steps(), GraphReader.ALL, read)) {
            add(trail, read.byStep, LongLongHashMap::sum, read.byStep);
        } else {
            add(trail, expansion.present(node, hop), Long::longValue, Map.of());
        }
    }

    private <C> void add(
            ScoredPath trail,
            Map<RelationStep, C> present,
            ToLongFunction<C> degree,
            Map<RelationStep, LongLongHashMap> read) {
        List<RelationStep> followed = expansion.best(present.keySet(), hop);
        long sum = 0;
        for (RelationStep step : followed) {
            sum += degree.applyAsLong(present.get(step));
        }
        if (expansion.mayExpand(trail.node(), sum)) {
            for (RelationStep step : followed) {
                scratch.allocate(BRANCH_BYTES);
                branches.add(
                        new Branch(trail, step, expansion.bound(trail, step, hop), read.get(step)));
            }
        }
    }

    /**
     * Offers what the branches lead to.
     *
     * @param all whether also those that cannot be kept are gone to, as they may be cut on the way
     */
    void follow(TopK<ScoredPath> best, boolean all) {
        branches.sort(Comparator.comparingDouble(Branch::bound).reversed());
        for (Branch branch : branches) {
            ScoredPath worst = best.worst();
            if (!all && worst != null && branch.bound() < worst.score()) {
                return;
            }
            follow(branch, best);
        }
    }

    private void follow(Branch branch, TopK<ScoredPath> best) {
        LongLongHashMap neighbours = branch.neighbours();
        if (neighbours == null) {
            Reached read = new Reached();
            StepFilter step = StepFilter.only(branch.step());
            view.graph().expand(branch.trail().node(), step, GraphReader.ALL, read);
            neighbours = read.byStep.getOrDefault(branch.step(), new LongLongHashMap());
        }
        neighbours.forEachKeyValue(
                (node, parallels) -> {
                    turns.next();
                    expansion.follow(branch.trail(), branch.step(), node, parallels, hop, best);
                });
    }

    /**
     * What a node leads to, with how many relationships lead to each. Those that may not be visited
     * as well: most are dropped before that is asked.
     */
    private final class Reached implements GraphReader.RelationshipVisitor {
        final Map<RelationStep, LongLongHashMap> byStep = new HashMap<>();
        private final NeighborCounts neighbourhood = new NeighborCounts(byStep);

        @Override
        public void visit(int relation, Direction direction, long neighbour) {
            scratch.allocate(ARC_BYTES);
            neighbourhood.of(relation, direction).addToValue(neighbour, 1);
        }
    }
}
