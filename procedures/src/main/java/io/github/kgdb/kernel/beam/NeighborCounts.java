package io.github.kgdb.kernel.beam;

import io.github.kgdb.kernel.api.Direction;
import io.github.kgdb.kernel.api.RelationStep;

import org.eclipse.collections.impl.map.mutable.primitive.LongLongHashMap;

import java.util.Map;

/**
 * Neighbors by step, with the number of relationships to each. The store returns the relationships
 * of one step mostly one after another.
 */
final class NeighborCounts {
    private final Map<RelationStep, LongLongHashMap> groups;
    private RelationStep step;
    private LongLongHashMap neighbors;

    NeighborCounts(Map<RelationStep, LongLongHashMap> groups) {
        this.groups = groups;
    }

    LongLongHashMap of(int relation, Direction direction) {
        if (step == null || step.relation() != relation || step.direction() != direction) {
            step = new RelationStep(relation, direction);
            neighbors = groups.computeIfAbsent(step, unseen -> new LongLongHashMap());
        }
        return neighbors;
    }
}
