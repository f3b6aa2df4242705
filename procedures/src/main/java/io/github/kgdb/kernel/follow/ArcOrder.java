package io.github.kgdb.kernel.follow;

import io.github.kgdb.kernel.api.Entity;

import java.util.BitSet;
import java.util.Comparator;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

/** Sorts the incoming arcs of one node of a {@link LayeredGraph} before they are read. */
@FunctionalInterface
interface ArcOrder {
    /** Keeps the order in which the arcs were read. */
    ArcOrder AS_FOUND = (level, index) -> {};

    void arrange(int level, int index);

    /**
     * Sorts by the ids of the entities at which the arcs begin, each node when it is first read.
     */
    static ArcOrder byId(LayeredGraph layers, LongFunction<Entity> entities) {
        BitSet[] arranged =
                layers.levels().stream().map(level -> new BitSet()).toArray(BitSet[]::new);
        return (level, index) -> {
            if (!arranged[level].get(index)) {
                arranged[level].set(index);
                sort(
                        layers.levels().get(level),
                        index,
                        layers.levels().get(level - 1).nodes(),
                        entities);
            }
        };
    }

    private static void sort(
            LayeredGraph.Level level,
            int index,
            long[] nodesBefore,
            LongFunction<Entity> entities) {
        record Arc(int origin, int parallels, Entity entity) {}

        int first = level.offsets()[index];
        Arc[] arcs =
                IntStream.range(first, level.offsets()[index + 1])
                        .mapToObj(
                                arc ->
                                        new Arc(
                                                level.origins()[arc],
                                                level.parallels()[arc],
                                                entities.apply(nodesBefore[level.origins()[arc]])))
                        .sorted(Comparator.comparing(Arc::entity, Entity.BY_ID))
                        .toArray(Arc[]::new);
        for (int i = 0; i < arcs.length; i++) {
            level.origins()[first + i] = arcs[i].origin();
            level.parallels()[first + i] = arcs[i].parallels();
        }
    }
}
