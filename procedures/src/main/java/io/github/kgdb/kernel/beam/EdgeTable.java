package io.github.kgdb.kernel.beam;

import io.github.kgdb.kernel.api.RelationStep;

import org.eclipse.collections.api.map.primitive.LongDoubleMap;
import org.eclipse.collections.api.map.primitive.MutableLongDoubleMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongDoubleHashMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

import java.util.ArrayList;
import java.util.List;

/** Every match of one edge of a pattern, between the candidate entities of its ends. */
final class EdgeTable {
    /**
     * Parallel relationships of one relation between two nodes, in the direction of search.
     *
     * @param parallels their number
     */
    record Arc(long origin, RelationStep step, long node, long parallels) {
        Arc reversed() {
            return new Arc(node, step.reversed(), origin, parallels);
        }
    }

    /** From the edge's source to its target. */
    private final List<Arc> arcs;

    private LongObjectHashMap<List<Arc>> bySource;
    private LongObjectHashMap<List<Arc>> byTarget;

    /**
     * @param arcs from the edge's source to its target
     */
    EdgeTable(List<Arc> arcs) {
        this.arcs = arcs;
    }

    boolean isEmpty() {
        return arcs.isEmpty();
    }

    /** The table without the arcs that begin or end at other entities. */
    EdgeTable between(LongDoubleMap sources, LongDoubleMap targets) {
        List<Arc> kept =
                arcs.stream()
                        .filter(arc -> sources.containsKey(arc.origin()))
                        .filter(arc -> targets.containsKey(arc.node()))
                        .toList();
        return kept.size() == arcs.size() ? this : new EdgeTable(kept);
    }

    /** The arcs that begin at a node; if {@code backwards}, at the edge's target. */
    List<Arc> from(long node, boolean backwards) {
        return index(backwards).getIfAbsent(node, List::of);
    }

    /**
     * The entities that an arc touches, with what each adds to the score.
     *
     * @param before the entities to choose from; null: any, and each adds 0
     * @param target whether to look at the edge's target instead of its source
     */
    LongDoubleMap touched(LongDoubleMap before, boolean target) {
        MutableLongDoubleMap touched = new LongDoubleHashMap();
        index(target)
                .forEachKey(
                        node -> {
                            if (before == null || before.containsKey(node)) {
                                touched.put(node, before == null ? 0 : before.get(node));
                            }
                        });
        return touched;
    }

    private LongObjectHashMap<List<Arc>> index(boolean target) {
        LongObjectHashMap<List<Arc>> index = target ? byTarget : bySource;
        if (index == null) {
            index = new LongObjectHashMap<>();
            for (Arc arc : arcs) {
                Arc from = target ? arc.reversed() : arc;
                index.getIfAbsentPut(from.origin(), ArrayList::new).add(from);
            }
            if (target) {
                byTarget = index;
            } else {
                bySource = index;
            }
        }
        return index;
    }
}
