package io.github.kgdb.kernel.beam;

import io.github.kgdb.kernel.api.RelationStep;

import org.eclipse.collections.api.map.primitive.LongDoubleMap;
import org.eclipse.collections.api.map.primitive.MutableLongDoubleMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongDoubleHashMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

import java.util.ArrayList;
import java.util.List;

/** All that an edge of a pattern can be found as, between entities that its ends may stand for. */
final class EdgeTable {
    /**
     * Relationships of one relation between two nodes, as they are gone over from the one to the
     * other.
     *
     * @param parallels how many there are
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

    /** The same without the arcs that begin or end at other entities. */
    EdgeTable between(LongDoubleMap sources, LongDoubleMap targets) {
        List<Arc> kept =
                arcs.stream()
                        .filter(arc -> sources.containsKey(arc.origin()))
                        .filter(arc -> targets.containsKey(arc.node()))
                        .toList();
        return kept.size() == arcs.size() ? this : new EdgeTable(kept);
    }

    /** The arcs that begin at a node: at the edge's target where it is gone over backwards. */
    List<Arc> from(long node, boolean backwards) {
        return index(backwards).getIfAbsent(node, List::of);
    }

    /**
     * Those of the entities that an arc touches, with what they add to the score.
     *
     * @param before null for any entity; each adds 0
     * @param target whether at the edge's target, or at its source
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
