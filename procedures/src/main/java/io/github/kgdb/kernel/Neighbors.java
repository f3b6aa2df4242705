package io.github.kgdb.kernel;

import io.github.kgdb.kernel.GraphReader.RelationshipVisitor;

import org.eclipse.collections.impl.map.mutable.primitive.LongLongHashMap;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One-hop expansion: who is next to each source, by which relation, in which direction. */
public final class Neighbors {
    private static final long NEIGHBOUR_BYTES = 48;
    private static final long ROW_BYTES = Entity.HEAP_BYTES + 64;

    /**
     * @param steps what to follow, each capped by itself
     * @param limit rows of the whole call
     * @param perRelation rows of one source, relation and direction
     * @param maxDegree relationships read of one node and step
     */
    public record Query(List<RelationStep> steps, int limit, long perRelation, long maxDegree) {}

    /**
     * @param count relationships between the two by this relation in this direction
     * @param truncated something of this source was cut; on the last row also: a later source was
     */
    public record Row(
            Entity source,
            String relation,
            Direction direction,
            Entity neighbour,
            long count,
            boolean truncated) {}

    private final GraphView view;
    private final Query query;
    private final MemoryBudget.Account results;
    private final List<Row> rows = new ArrayList<>();

    private Neighbors(GraphView view, Query query, MemoryBudget.Account results) {
        this.view = view;
        this.query = query;
        this.results = results;
    }

    /** Rows by source as given, then relation, direction, name and id. */
    public static List<Row> find(
            GraphView view, long[] sources, Query query, MemoryBudget.Account results) {
        Neighbors neighbors = new Neighbors(view, query, results);
        for (long source : sources) {
            if (!neighbors.addSource(source)) {
                neighbors.markLastRow();
                break;
            }
        }
        return neighbors.rows;
    }

    /** Returns false where the limit left out rows of this source. */
    private boolean addSource(long source) {
        try (MemoryBudget.Account scratch = view.memory().open()) {
            Map<RelationStep, LongLongHashMap> counts = new HashMap<>();
            RelationshipVisitor counter =
                    (relation, direction, node) -> {
                        RelationStep step = new RelationStep(relation, direction);
                        counts.computeIfAbsent(step, unseen -> new LongLongHashMap());
                        if (counts.get(step).addToValue(node, 1) == 1) {
                            scratch.allocate(NEIGHBOUR_BYTES);
                        }
                    };
            boolean truncated = false;
            for (RelationStep step : query.steps()) {
                truncated |= view.graph().expand(source, step, query.maxDegree(), counter);
            }
            return addGroups(source, groups(counts), truncated, scratch);
        }
    }

    private List<Group> groups(Map<RelationStep, LongLongHashMap> counts) {
        List<Group> groups = new ArrayList<>();
        counts.forEach(
                (step, nodes) -> {
                    String relation = view.dictionary().relation(step.relation());
                    groups.add(new Group(relation, step.direction(), nodes));
                });
        groups.sort(Group.ORDER);
        return groups;
    }

    private boolean addGroups(
            long source, List<Group> groups, boolean cutByDegree, MemoryBudget.Account scratch) {
        List<Found> found = new ArrayList<>();
        boolean cutByRelation = false;
        boolean cutByLimit = false;
        for (Group group : groups) {
            long wanted = Math.min(group.counts().size(), query.perRelation());
            long room = query.limit() - rows.size() - found.size();
            cutByRelation |= wanted < group.counts().size();
            cutByLimit |= wanted > room;
            if (room == 0) {
                break;
            }
            sorted(group, scratch).stream().limit(Math.min(wanted, room)).forEach(found::add);
        }
        if (!found.isEmpty()) {
            boolean truncated = cutByDegree || cutByRelation || cutByLimit;
            Entity entity = view.dictionary().entity(source);
            results.allocate(found.size() * ROW_BYTES);
            for (Found each : found) {
                rows.add(
                        new Row(
                                entity,
                                each.relation,
                                each.direction,
                                each.neighbour,
                                each.count,
                                truncated));
            }
        }
        return !cutByLimit;
    }

    private List<Found> sorted(Group group, MemoryBudget.Account scratch) {
        scratch.allocate(group.counts().size() * (Entity.HEAP_BYTES + 40));
        List<Found> found = new ArrayList<>(group.counts().size());
        group.counts()
                .forEachKeyValue(
                        (node, count) -> {
                            view.termination().check();
                            found.add(
                                    new Found(
                                            group.relation(),
                                            group.direction(),
                                            view.dictionary().entity(node),
                                            count));
                        });
        found.sort(Comparator.comparing(Found::neighbour, Entity.BY_NAME));
        return found;
    }

    private void markLastRow() {
        int last = rows.size() - 1;
        Row row = rows.get(last);
        rows.set(
                last,
                new Row(row.source, row.relation, row.direction, row.neighbour, row.count, true));
    }

    private record Group(String relation, Direction direction, LongLongHashMap counts) {
        static final Comparator<Group> ORDER =
                Comparator.comparing(Group::relation, CodePoints.ORDER)
                        .thenComparing(group -> group.direction().text());
    }

    private record Found(String relation, Direction direction, Entity neighbour, long count) {}
}
