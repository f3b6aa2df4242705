package io.github.kgdb.kernel;

import org.eclipse.collections.impl.map.mutable.primitive.LongLongHashMap;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One-hop expansion: who is next to each source, by which relation, in which direction. */
public final class Neighbors {
    private static final long NEIGHBOUR_BYTES = 48;
    private static final long GROUP_BYTES = 200;
    private static final long ROW_BYTES = 100;

    /**
     * @param steps what to follow
     * @param mediators whether a hop goes on through a mediator
     * @param limit rows of the whole start set
     * @param perRelation rows of one source and relation
     * @param maxDegree a node with more relationships is not expanded
     */
    public record Query(
            Steps steps, boolean mediators, int limit, long perRelation, long maxDegree) {}

    /**
     * @param count relationships between the two by this relation in this direction; through a
     *     mediator, pairs of them
     * @param via the mediator between the two, or null
     * @param viaRelation the relation that leads on from it, or null
     */
    public record Row(
            Entity source,
            String relation,
            Direction direction,
            Entity neighbour,
            long count,
            Entity via,
            String viaRelation) {}

    private static final Comparator<Row> BY_NEIGHBOUR =
            Comparator.comparing(Row::neighbour, Entity.BY_NAME)
                    .thenComparing(Row::via, Comparator.nullsFirst(Entity.BY_ID));

    private final GraphView view;
    private final Query query;
    private final MemoryBudget.Account results;
    private final Cuts cuts = new Cuts();
    private final List<Row> rows = new ArrayList<>();

    private Neighbors(GraphView view, Query query, MemoryBudget.Account results) {
        this.view = view;
        this.query = query;
        this.results = results;
    }

    /** Rows by source as given, relation, direction, the relation after a mediator, name and id. */
    public static Found<Row> find(
            GraphView view, long[] sources, Query query, MemoryBudget.Account results) {
        Neighbors neighbors = new Neighbors(view, query, results);
        for (long source : sources) {
            neighbors.addSource(source);
        }
        return Found.of(neighbors.rows, neighbors.cuts, view);
    }

    private void addSource(long source) {
        try (MemoryBudget.Account scratch = view.memory().open()) {
            Map<GroupKey, LongLongHashMap> plain = new HashMap<>();
            if (view.mayExpand(source, query.steps(), query.maxDegree(), cuts)) {
                expand(source, null, plain, scratch);
            }
            Map<GroupKey, List<Through>> groups = new HashMap<>();
            plain.forEach((key, counts) -> addThrough(groups, key, counts, source, scratch));
            addRows(source, groups, new Entities(view, scratch), scratch);
        }
    }

    /** Counts neighbours by relation and direction, as a first step or as one after {@code via}. */
    private void expand(
            long node,
            RelationStep first,
            Map<GroupKey, LongLongHashMap> counts,
            MemoryBudget.Account scratch) {
        view.graph()
                .expand(
                        node,
                        query.steps(),
                        (relation, direction, other) -> {
                            RelationStep step = new RelationStep(relation, direction);
                            GroupKey key =
                                    first == null
                                            ? new GroupKey(step, null)
                                            : new GroupKey(first, step);
                            LongLongHashMap group = counts.get(key);
                            if (group == null) {
                                scratch.allocate(GROUP_BYTES);
                                group = new LongLongHashMap();
                                counts.put(key, group);
                            }
                            if (group.addToValue(other, 1) == 1) {
                                scratch.allocate(NEIGHBOUR_BYTES);
                            }
                        });
    }

    private void addThrough(
            Map<GroupKey, List<Through>> groups,
            GroupKey key,
            LongLongHashMap counts,
            long source,
            MemoryBudget.Account scratch) {
        counts.forEachKeyValue(
                (node, count) -> {
                    if (query.mediators() && view.graph().isMediator(node)) {
                        addBehind(groups, key.first(), node, count, source, scratch);
                    } else {
                        groups.computeIfAbsent(key, unseen -> new ArrayList<>())
                                .add(new Through(node, Through.NONE, count));
                    }
                });
    }

    private void addBehind(
            Map<GroupKey, List<Through>> groups,
            RelationStep first,
            long mediator,
            long count,
            long source,
            MemoryBudget.Account scratch) {
        if (!view.mayExpand(mediator, query.steps(), query.maxDegree(), cuts)) {
            return;
        }
        Map<GroupKey, LongLongHashMap> behind = new HashMap<>();
        expand(mediator, first, behind, scratch);
        behind.forEach(
                (key, counts) ->
                        counts.forEachKeyValue(
                                (node, parallels) -> {
                                    if (node != source && !view.graph().isMediator(node)) {
                                        groups.computeIfAbsent(key, unseen -> new ArrayList<>())
                                                .add(
                                                        new Through(
                                                                node,
                                                                mediator,
                                                                Counts.times(count, parallels)));
                                    }
                                }));
    }

    private void addRows(
            long source,
            Map<GroupKey, List<Through>> groups,
            Entities entities,
            MemoryBudget.Account scratch) {
        for (Group group : sorted(groups)) {
            view.termination().check();
            long wanted = Math.min(group.members().size(), query.perRelation());
            long taken = Math.min(wanted, query.limit() - rows.size());
            cuts.addIf(wanted < group.members().size(), Cap.PER_RELATION);
            cuts.addIf(taken < wanted, Cap.LIMIT);
            if (taken > 0) {
                scratch.allocate(group.members().size() * ROW_BYTES);
                results.allocate(taken * (ROW_BYTES + Entity.HEAP_BYTES));
                group.members().stream()
                        .map(member -> row(source, group, member, entities))
                        .sorted(BY_NEIGHBOUR)
                        .limit(taken)
                        .forEach(rows::add);
            }
        }
    }

    private Row row(long source, Group group, Through member, Entities entities) {
        return new Row(
                entities.get(source),
                group.relation(),
                group.direction(),
                entities.get(member.node()),
                member.count(),
                member.via() == Through.NONE ? null : entities.get(member.via()),
                group.viaRelation());
    }

    private List<Group> sorted(Map<GroupKey, List<Through>> groups) {
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

    /**
     * @param via the mediator that was gone through, or {@link #NONE}
     */
    private record Through(long node, long via, long count) {
        static final long NONE = -1;
    }

    private record Group(
            String relation, Direction direction, String viaRelation, List<Through> members) {
        static final Comparator<Group> ORDER =
                Comparator.comparing(Group::relation, CodePoints.ORDER)
                        .thenComparing(group -> group.direction().text())
                        .thenComparing(Group::viaRelation, Comparator.nullsFirst(CodePoints.ORDER));
    }
}
