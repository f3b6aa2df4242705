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
 * The extensions of all paths of a beam by one hop, expanded lazily. Every extension of one path by
 * one relation has the same score, so the best are expanded first, and expansion stops when no
 * other can enter the beam.
 */
final class LazyExpansion {
    private static final long ARC_BYTES = 40;
    private static final long BRANCH_BYTES = 80;

    /**
     * @param bound upper bound on the score of an extension
     * @param neighbors with the number of relationships to each, or null if they have not been read
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

    /** Adds the extensions of the path, unless its end is a hub. */
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
     * Expands the branches, best first, and offers the results.
     *
     * @param all whether to expand also branches that cannot enter the beam, because a hub on the
     *     way must be reported
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
                    ticker.tick();
                    expansion.follow(branch.path(), branch.step(), node, parallels, hop, best);
                });
    }

    /**
     * The neighbors of a node, with the number of relationships to each. Includes those that may
     * not be visited: most are dropped before that has to be checked.
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
