package io.github.kgdb.kernel;

import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;
import org.eclipse.collections.impl.set.mutable.primitive.LongHashSet;

import java.util.HashSet;
import java.util.Set;
import java.util.function.LongPredicate;

/**
 * The arcs that lead from the outermost nodes of one ball to the outermost nodes of another: the
 * hop in the middle of a path. Where both have hubs among them, neither ball is expanded as a
 * whole: what joins two hubs is read by those relations only that the one has and the other has in
 * reverse.
 */
final class Middle {
    @FunctionalInterface
    interface Visitor {
        void visit(long from, RelationStep step, long to);
    }

    /** Below this many relationships, reading them costs no more than asking which there are. */
    private static final long HUB = 64;

    /** The outermost nodes of a ball that paths may go through. */
    private static final class Side {
        final Ball ball;
        final LongPredicate inside;
        final LongArrayList light = new LongArrayList();
        final LongArrayList hubs = new LongArrayList();
        private final LongHashSet hubSet;
        long effort;
        long lightEffort;

        Side(Terrain terrain, Ball ball, LongPredicate inside) {
            this.ball = ball;
            this.inside = inside;
            ball.level(ball.reached())
                    .forEach(
                            node -> {
                                if (inside.test(node)) {
                                    long reads = terrain.effort(node, ball.back());
                                    effort += reads;
                                    if (reads > HUB) {
                                        hubs.add(node);
                                    } else {
                                        lightEffort += reads;
                                        light.add(node);
                                    }
                                }
                            });
            hubSet = LongHashSet.newSet(hubs);
        }

        boolean isHub(long node) {
            return hubSet.contains(node);
        }

        boolean isOutermost(long node) {
            return ball.cost(node) == ball.reached() && inside.test(node);
        }
    }

    private final Terrain terrain;
    private final Side source;
    private final Side target;
    private final Visitor visitor;

    private Middle(
            Terrain terrain, Ball source, Ball target, LongPredicate inside, Visitor visitor) {
        this.terrain = terrain;
        this.source =
                new Side(terrain, source, node -> node != target.start() && inside.test(node));
        this.target =
                new Side(terrain, target, node -> node != source.start() && inside.test(node));
        this.visitor = visitor;
    }

    /**
     * Visits each of these arcs once.
     *
     * @param inside whether a path may go through the node, or begin or end there
     */
    static void visit(
            Terrain terrain, Ball source, Ball target, LongPredicate inside, Visitor visitor) {
        new Middle(terrain, source, target, inside, visitor).visit();
    }

    private void visit() {
        long both = source.lightEffort + target.lightEffort;
        if (source.effort <= Math.min(both, target.effort)) {
            source.light.forEach(this::leave);
            source.hubs.forEach(this::leave);
        } else if (target.effort <= both) {
            target.light.forEach(node -> enter(node, from -> true));
            target.hubs.forEach(node -> enter(node, from -> true));
        } else {
            source.light.forEach(this::leave);
            target.light.forEach(node -> enter(node, source::isHub));
            joinHubs();
        }
    }

    /** All arcs from a node of the source's side. */
    private void leave(long from) {
        terrain.termination().check();
        Terrain.Arcs arcs = terrain.arcs(from, source.ball.back());
        for (int arc = 0; arc < arcs.size(); arc++) {
            long to = arcs.nodes()[arc];
            if (target.isOutermost(to)) {
                visitor.visit(from, arcs.step(arc), to);
            }
        }
    }

    /** All arcs into a node of the target's side from nodes that {@code wanted} holds for. */
    private void enter(long to, LongPredicate wanted) {
        terrain.termination().check();
        Terrain.Arcs arcs = terrain.arcs(to, target.ball.back());
        for (int arc = 0; arc < arcs.size(); arc++) {
            long from = arcs.nodes()[arc];
            if (wanted.test(from) && source.isOutermost(from)) {
                visitor.visit(from, arcs.step(arc).reversed(), to);
            }
        }
    }

    private void joinHubs() {
        Set<RelationStep> shared = menu(source);
        Set<RelationStep> entering = new HashSet<>();
        menu(target).forEach(step -> entering.add(step.reversed()));
        shared.retainAll(entering);
        if (shared.isEmpty()) {
            return;
        }
        Steps leaving = Steps.only(shared);
        long leavingEffort = effort(source, leaving);
        long enteringEffort = effort(target, leaving.reversed());
        if (leavingEffort <= enteringEffort) {
            source.hubs.forEach(
                    from ->
                            terrain.read(
                                    from,
                                    leaving,
                                    (step, to) -> {
                                        if (target.isHub(to)) {
                                            visitor.visit(from, step, to);
                                        }
                                    }));
        } else {
            target.hubs.forEach(
                    to ->
                            terrain.read(
                                    to,
                                    leaving.reversed(),
                                    (step, from) -> {
                                        if (source.isHub(from)) {
                                            visitor.visit(from, step.reversed(), to);
                                        }
                                    }));
        }
    }

    private Set<RelationStep> menu(Side side) {
        Set<RelationStep> menu = new HashSet<>();
        side.hubs.forEach(node -> terrain.menu(node, side.ball.back(), menu::add));
        return menu;
    }

    private long effort(Side side, Steps steps) {
        long[] effort = {0};
        side.hubs.forEach(node -> effort[0] += terrain.degree(node, steps));
        return effort[0];
    }
}
