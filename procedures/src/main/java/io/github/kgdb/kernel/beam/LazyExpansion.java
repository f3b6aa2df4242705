package io.github.kgdb.kernel.beam;

import io.github.kgdb.kernel.api.Direction;
import io.github.kgdb.kernel.api.GraphReader;
import io.github.kgdb.kernel.api.GraphView;
import io.github.kgdb.kernel.api.MemoryBudget;
import io.github.kgdb.kernel.api.RelationStep;
import io.github.kgdb.kernel.api.StepFilter;
import io.github.kgdb.kernel.api.TerminationTicker;
import io.github.kgdb.kernel.api.TopK;

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
     * @param neighbors with how many relationships lead to each, or null where they are not read
     */
    private record Branch(
            ScoredPath path, RelationStep step, double bound, LongLongHashMap neighbors) {}

    private final GraphView view;
    private final Expansion expansion;
    private final Hop hop;
    private final MemoryBudget.Account scratch;
    private final TerminationTicker ticker;
    private final List<Branch> branches = new ArrayList<>();

    LazyExpansion(GraphView view, Expansion expansion, Hop hop, MemoryBudget.Account scratch) {
        this.view = view;
        this.expansion = expansion;
        this.hop = hop;
        this.scratch = scratch;
        this.ticker = new TerminationTicker(view.termination());
    }

    /** Adds the ways on from the trail's end, unless that is a hub. */
    void addFrom(ScoredPath path) {
        view.termination().check();
        long node = path.node();
        Reached read = new Reached();
        if (view.graph().expandIfSparse(node, hop.steps(), GraphReader.ALL, read)) {
            add(path, read.byStep, LongLongHashMap::sum, read.byStep);
        } else {
            add(path, expansion.present(node, hop), Long::longValue, Map.of());
        }
    }

    private <C> void add(
            ScoredPath path,
            Map<RelationStep, C> present,
            ToLongFunction<C> degree,
            Map<RelationStep, LongLongHashMap> read) {
        List<RelationStep> followed = expansion.best(present.keySet(), hop);
        long sum = 0;
        for (RelationStep step : followed) {
            sum += degree.applyAsLong(present.get(step));
        }
        if (expansion.mayExpand(path.node(), sum)) {
            for (RelationStep step : followed) {
                scratch.allocate(BRANCH_BYTES);
                branches.add(
                        new Branch(path, step, expansion.bound(path, step, hop), read.get(step)));
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
        LongLongHashMap neighbors = branch.neighbors();
        if (neighbors == null) {
            Reached read = new Reached();
            StepFilter step = StepFilter.only(branch.step());
            view.graph().expand(branch.path().node(), step, GraphReader.ALL, read);
            neighbors = read.byStep.getOrDefault(branch.step(), new LongLongHashMap());
        }
        neighbors.forEachKeyValue(
                (node, parallels) -> {
                    ticker.next();
                    expansion.follow(branch.path(), branch.step(), node, parallels, hop, best);
                });
    }

    /**
     * What a node leads to, with how many relationships lead to each. Those that may not be visited
     * as well: most are dropped before that is asked.
     */
    private final class Reached implements GraphReader.RelationshipVisitor {
        final Map<RelationStep, LongLongHashMap> byStep = new HashMap<>();
        private final NeighborCounts counts = new NeighborCounts(byStep);

        @Override
        public void visit(int relation, Direction direction, long neighbor) {
            scratch.allocate(ARC_BYTES);
            counts.of(relation, direction).addToValue(neighbor, 1);
        }
    }
}
