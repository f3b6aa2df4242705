package io.github.kgdb.kernel;

import org.eclipse.collections.impl.map.mutable.primitive.LongLongHashMap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Relation-aware beam search (GoT-R, equations 5 to 7): each hop follows those relations of a path's
 * end that the hop knows a similarity for, and keeps the paths with the largest sum.
 */
public final class Beam {
    /**
     * @param hops per hop, how similar each relation is to the one that was asked for
     * @param mediators whether a hop that arrives at a mediator goes on, each half counting half
     * @param width paths kept after each hop
     * @param relationsPerNode the best relations of one path end that are followed
     * @param maxDegree a node with more relationships to follow is not expanded
     */
    public record Query(
            List<Map<RelationStep, Double>> hops,
            boolean mediators,
            int width,
            long relationsPerNode,
            long maxDegree) {}

    /**
     * @param entities from the start to the end
     * @param relations between them, {@code ^} before one that is gone against
     * @param similarities of these relations, as they count in the score
     * @param count how many paths differ from this one only in parallel relationships
     */
    public record Row(
            List<Entity> entities,
            List<String> relations,
            List<Double> similarities,
            double score,
            long count) {
        public Entity end() {
            return entities.get(entities.size() - 1);
        }
    }

    private static final long TRAIL_BYTES = 400;
    private static final long ARC_BYTES = 40;

    private final GraphView view;
    private final Query query;
    private final MemoryBudget.Account account;
    private final Map<RelationStep, String> specs = new HashMap<>();
    private final Cuts cuts = new Cuts();
    private final Comparator<Trail> order =
            Comparator.comparingDouble(Trail::score)
                    .reversed()
                    .thenComparing(this::compareIds)
                    .thenComparing(this::relations, CodePoints.LISTS);

    private Beam(GraphView view, Query query, MemoryBudget.Account account) {
        this.view = view;
        this.query = query;
        this.account = account;
    }

    /** Rows by score, largest first, then ids and relations. */
    public static Found<Row> search(
            GraphView view, long[] starts, Query query, MemoryBudget.Account account) {
        Beam beam = new Beam(view, query, account);
        List<Row> rows = beam.search(starts).stream().map(beam::row).toList();
        return Found.of(rows, beam.cuts, view);
    }

    private List<Trail> search(long[] starts) {
        account.allocate((long) query.width() * (query.hops().size() + 1) * TRAIL_BYTES);
        List<Trail> trails = best(Arrays.stream(starts).mapToObj(Trail::at), starts.length);
        for (Map<RelationStep, Double> similarities : query.hops()) {
            Hop hop = new Hop(similarities, Steps.only(similarities.keySet()));
            PriorityQueue<Trail> kept = new PriorityQueue<>(order.reversed());
            for (Trail trail : trails) {
                extend(trail, hop, 1, next -> arrive(next, hop, kept));
            }
            trails = best(kept.stream(), query.width());
        }
        return best(trails.stream(), query.width());
    }

    private List<Trail> best(Stream<Trail> trails, int most) {
        return trails.sorted(order).limit(most).toList();
    }

    /** At the end of a hop, or half-way where that is at a mediator. */
    private void arrive(Trail trail, Hop hop, PriorityQueue<Trail> kept) {
        if (!query.mediators() || !view.graph().isMediator(trail.node())) {
            offer(trail, kept);
            return;
        }
        Trail half = trail.inHalf();
        extend(
                half,
                hop,
                0.5,
                next -> {
                    if (!view.graph().isMediator(next.node())) {
                        offer(next, kept);
                    }
                });
    }

    /** Keeps only the best, the worst of them at the head. */
    private void offer(Trail trail, PriorityQueue<Trail> kept) {
        if (kept.size() < query.width()) {
            kept.add(trail);
        } else if (order.compare(trail, kept.element()) < 0) {
            kept.remove();
            kept.add(trail);
        }
    }

    /** Goes one edge on, wherever the hop allows it and no relationship is used twice. */
    private void extend(Trail trail, Hop hop, double weight, Consumer<Trail> next) {
        view.termination().check();
        Steps steps = followed(trail.node(), hop);
        if (!view.mayExpand(trail.node(), steps, query.maxDegree(), cuts)) {
            return;
        }
        try (MemoryBudget.Account scratch = view.memory().open()) {
            parallels(trail.node(), steps, scratch)
                    .forEach(
                            (step, nodes) ->
                                    nodes.forEachKeyValue(
                                            (node, parallels) -> {
                                                long free = parallels - trail.used(step, node);
                                                if (free > 0) {
                                                    next.accept(
                                                            trail.to(
                                                                    node,
                                                                    step,
                                                                    weight * hop.similarity(step),
                                                                    Counts.times(
                                                                            trail.count(), free)));
                                                }
                                            }));
        }
    }

    private Map<RelationStep, LongLongHashMap> parallels(
            long node, Steps steps, MemoryBudget.Account scratch) {
        Map<RelationStep, LongLongHashMap> parallels = new HashMap<>();
        view.graph()
                .expand(
                        node,
                        steps,
                        (relation, direction, other) -> {
                            scratch.allocate(ARC_BYTES);
                            parallels
                                    .computeIfAbsent(
                                            new RelationStep(relation, direction),
                                            unseen -> new LongLongHashMap())
                                    .addToValue(other, 1);
                        });
        return parallels;
    }

    /** Those relations of the hop that the node has; the best of them where that is asked for. */
    private Steps followed(long node, Hop hop) {
        if (query.relationsPerNode() >= hop.similarities().size()) {
            return hop.steps();
        }
        List<RelationStep> present = new ArrayList<>();
        view.graph()
                .menu(
                        node,
                        (relation, outgoing, incoming) -> {
                            RelationStep along = new RelationStep(relation, Direction.OUT);
                            if (outgoing > 0 && hop.similarities().containsKey(along)) {
                                present.add(along);
                            }
                            if (incoming > 0 && hop.similarities().containsKey(along.reversed())) {
                                present.add(along.reversed());
                            }
                        });
        present.sort(
                Comparator.comparingDouble(hop::similarity)
                        .reversed()
                        .thenComparing(
                                step -> view.dictionary().relation(step.relation()),
                                CodePoints.ORDER)
                        .thenComparing(RelationStep::direction));
        return Steps.only(
                present.subList(0, (int) Math.min(present.size(), query.relationsPerNode())));
    }

    private int compareIds(Trail left, Trail right) {
        Dictionary dictionary = view.dictionary();
        if (left.before() == right.before()) {
            return Entity.BY_ID.compare(left.entity(dictionary), right.entity(dictionary));
        }
        return CodePoints.LISTS.compare(left.ids(dictionary), right.ids(dictionary));
    }

    private List<String> relations(Trail trail) {
        return trail.steps().stream()
                .map(step -> specs.computeIfAbsent(step, view::spec))
                .toList();
    }

    private Row row(Trail trail) {
        return new Row(
                trail.entities(view.dictionary()),
                relations(trail),
                trail.similarities(),
                trail.score(),
                trail.count());
    }

    private record Hop(Map<RelationStep, Double> similarities, Steps steps) {
        double similarity(RelationStep step) {
            return similarities.get(step);
        }
    }
}
