package io.github.kgdb.kernel.neighbors;

import io.github.kgdb.kernel.api.CodePoints;
import io.github.kgdb.kernel.api.Direction;
import io.github.kgdb.kernel.api.Entity;
import io.github.kgdb.kernel.api.EntityMemo;
import io.github.kgdb.kernel.api.GraphReader.RelationshipVisitor;
import io.github.kgdb.kernel.api.GraphView;
import io.github.kgdb.kernel.api.KernelResult;
import io.github.kgdb.kernel.api.Limit;
import io.github.kgdb.kernel.api.MemoryBudget;
import io.github.kgdb.kernel.api.RelationStep;
import io.github.kgdb.kernel.api.SaturatedMath;
import io.github.kgdb.kernel.api.StepFilter;
import io.github.kgdb.kernel.api.TerminationTicker;
import io.github.kgdb.kernel.api.TopK;
import io.github.kgdb.kernel.api.Truncation;

import org.eclipse.collections.impl.map.mutable.primitive.LongLongHashMap;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One-hop expansion: the neighbors of each source, with relation and direction. */
public final class Neighbors {
    private static final long NEIGHBOR_BYTES = 48;
    private static final long GROUP_BYTES = 200;
    private static final long THROUGH_BYTES = 48;
    private static final long ROW_BYTES = 100;

    /**
     * @param steps the relations to follow
     * @param mediators whether a hop continues through a mediator
     * @param limit maximum rows of the whole start set
     * @param perRelation maximum rows of one source and relation
     * @param maxDegree a node with more relationships is not expanded
     */
    public record Query(
            StepFilter steps, boolean mediators, int limit, long perRelation, long maxDegree) {}

    /**
     * @param count the number of relationships of this relation and direction between the two;
     *     through a mediator, of pairs of them
     * @param via the mediator between the two, or null
     * @param viaRelation the relation that leads on from it, or null
     */
    public record Row(
            Entity source,
            String relation,
            Direction direction,
            Entity neighbor,
            long count,
            Entity via,
            String viaRelation) {
        /** The heap size of long names. The source is shared by many rows and does not count. */
        private long longTextBytes() {
            return neighbor.longTextBytes() + (via == null ? 0 : via.longTextBytes());
        }
    }

    private static final Comparator<Row> BY_NEIGHBOR =
            Comparator.comparing(Row::neighbor, Entity.BY_NAME)
                    .thenComparing(Row::via, Comparator.nullsFirst(Entity.BY_ID));

    private final GraphView view;
    private final Query query;
    private final MemoryBudget.Account results;
    private final Truncation truncation = new Truncation();
    private final List<Row> rows = new ArrayList<>();

    private Neighbors(GraphView view, Query query, MemoryBudget.Account results) {
        this.view = view;
        this.query = query;
        this.results = results;
    }

    /**
     * Rows ordered by source as given, relation, direction, the relation after a mediator, name and
     * id.
     */
    public static KernelResult<Row> find(
            GraphView view, long[] sources, Query query, MemoryBudget.Account results) {
        Neighbors neighbors = new Neighbors(view, query, results);
        for (long source : sources) {
            neighbors.addSource(source);
        }
        return KernelResult.of(neighbors.rows, neighbors.truncation, view);
    }

    private void addSource(long source) {
        try (MemoryBudget.Account scratch = view.memory().open()) {
            Map<GroupKey, Members> groups = new HashMap<>();
            if (view.mayExpand(source, query.steps(), query.maxDegree(), truncation)) {
                expand(source, groups, scratch);
            }
            if (query.mediators()) {
                goThroughMediators(source, groups, scratch);
            }
            addRows(source, groups, new EntityMemo(view, scratch), scratch);
        }
    }

    /** Counts neighbors by relation and direction. */
    private void expand(long node, Map<GroupKey, Members> groups, MemoryBudget.Account scratch) {
        view.graph()
                .expand(
                        node,
                        query.steps(),
                        new RelationshipVisitor() {
                            // Relationships mostly come in runs of one relation.
                            private RelationStep step;
                            private LongLongHashMap counts;

                            @Override
                            public void visit(int relation, Direction direction, long other) {
                                if (step == null
                                        || step.relation() != relation
                                        || step.direction() != direction) {
                                    step = new RelationStep(relation, direction);
                                    counts = group(groups, new GroupKey(step, null), scratch).plain;
                                }
                                if (counts.addToValue(other, 1) == 1) {
                                    scratch.allocate(NEIGHBOR_BYTES);
                                }
                            }
                        });
    }

    private static Members group(
            Map<GroupKey, Members> groups, GroupKey key, MemoryBudget.Account scratch) {
        Members members = groups.get(key);
        if (members == null) {
            scratch.allocate(GROUP_BYTES);
            members = new Members();
            groups.put(key, members);
        }
        return members;
    }

    /** Replaces each mediator by the nodes behind it. */
    private void goThroughMediators(
            long source, Map<GroupKey, Members> groups, MemoryBudget.Account scratch) {
        TerminationTicker ticker = new TerminationTicker(view.termination());
        List.copyOf(groups.entrySet())
                .forEach(
                        group -> {
                            LongLongHashMap counts = group.getValue().plain;
                            LongLongHashMap mediators =
                                    counts.select(
                                            (node, count) -> {
                                                ticker.tick();
                                                return view.graph().isMediator(node);
                                            });
                            mediators.forEachKeyValue(
                                    (mediator, count) -> {
                                        counts.remove(mediator);
                                        addBehind(
                                                groups,
                                                group.getKey().first(),
                                                mediator,
                                                count,
                                                source,
                                                scratch);
                                    });
                            if (group.getValue().size() == 0) {
                                groups.remove(group.getKey());
                            }
                        });
    }

    private void addBehind(
            Map<GroupKey, Members> groups,
            RelationStep first,
            long mediator,
            long count,
            long source,
            MemoryBudget.Account scratch) {
        if (!view.mayExpand(mediator, query.steps(), query.maxDegree(), truncation)) {
            return;
        }
        Map<GroupKey, Members> behind = new HashMap<>();
        expand(mediator, behind, scratch);
        behind.forEach(
                (second, members) ->
                        members.plain.forEachKeyValue(
                                (node, parallels) -> {
                                    if (node != source && !view.graph().isMediator(node)) {
                                        scratch.allocate(THROUGH_BYTES);
                                        group(groups, new GroupKey(first, second.first()), scratch)
                                                .behind
                                                .add(
                                                        new Through(
                                                                node,
                                                                mediator,
                                                                SaturatedMath.times(
                                                                        count, parallels)));
                                    }
                                }));
    }

    private void addRows(
            long source,
            Map<GroupKey, Members> groups,
            EntityMemo entities,
            MemoryBudget.Account scratch) {
        for (Group group : sorted(groups)) {
            view.termination().check();
            Members members = group.members();
            long wanted = Math.min(members.size(), query.perRelation());
            long taken = Math.min(wanted, query.limit() - rows.size());
            truncation.addIf(wanted < members.size(), Limit.PER_RELATION);
            truncation.addIf(taken < wanted, Limit.LIMIT);
            if (taken > 0) {
                results.allocate(taken * (ROW_BYTES + Entity.HEAP_BYTES));
                // Only returned neighbors are ever in memory with their names.
                TopK<Row> best =
                        new TopK<>(
                                BY_NEIGHBOR,
                                taken,
                                dropped -> results.release(dropped.longTextBytes()));
                members.plain.forEachKeyValue(
                        (node, count) ->
                                best.offer(row(source, group, node, count, null, entities)));
                members.behind.forEach(
                        through ->
                                best.offer(
                                        row(
                                                source,
                                                group,
                                                through.node(),
                                                through.count(),
                                                entities.get(through.via()),
                                                entities)));
                rows.addAll(best.sorted());
                results.allocate(entities.get(source).longTextBytes());
            }
        }
    }

    private Row row(
            long source, Group group, long node, long count, Entity via, EntityMemo entities) {
        view.termination().check();
        Row row =
                new Row(
                        entities.get(source),
                        group.relation(),
                        group.direction(),
                        view.dictionary().entity(node),
                        count,
                        via,
                        group.viaRelation());
        results.allocate(row.longTextBytes());
        return row;
    }

    private List<Group> sorted(Map<GroupKey, Members> groups) {
        List<Group> sorted = new ArrayList<>();
        groups.forEach(
                (key, members) ->
                        sorted.add(
                                new Group(
                                        view.dictionary().relation(key.first().relation()),
                                        key.first().direction(),
                                        key.second() == null ? null : view.spec(key.second()),
                                        members)));
        sorted.sort(Group.ORDER);
        return sorted;
    }

    /**
     * @param second the step after a mediator, or null
     */
    private record GroupKey(RelationStep first, RelationStep second) {}

    /** The neighbors of one group with their counts, and those behind mediators. */
    private static final class Members {
        private final LongLongHashMap plain = new LongLongHashMap();
        private final List<Through> behind = new ArrayList<>();

        int size() {
            return plain.size() + behind.size();
        }
    }

    /**
     * @param via the mediator between the source and the node
     */
    private record Through(long node, long via, long count) {}

    private record Group(
            String relation, Direction direction, String viaRelation, Members members) {
        static final Comparator<Group> ORDER =
                Comparator.comparing(Group::relation, CodePoints.ORDER)
                        .thenComparing(group -> group.direction().text())
                        .thenComparing(Group::viaRelation, Comparator.nullsFirst(CodePoints.ORDER));
    }
}
